/** A node under any bytes and any messages at all: it survives, and answers the next PING. DP5, "Floods". */
import { memoryLinks, readDefinitions, SimulatedNode } from "@porchlight/firmware-sim";
import { seededRandom, settle, VirtualClock } from "@porchlight/shared/kernel";
import {
  decodeBody,
  encodeCbor,
  encodeFrame,
  encodeMessage,
  FrameReader,
  HUB_FRAME_LIMIT,
} from "@porchlight/shared/wire";
import fc from "fast-check";
import { expect, test } from "vitest";

const FILE = `
nodes:
  - edgeId: 02-50-4C-51-00-01
    max: 256
    devices: [{edgeId: 02-50-4C-51-00-01, kind: colour-light}, {edgeId: 02-50-4C-51-00-02, kind: cover}]
`;

const field = fc.oneof(
  fc.integer({ min: 0, max: 3 }),
  fc.constantFrom("Switch", "on", "Cover", "position", "LightLevel", "level", null, true),
  fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value, wellFormed))),
);
const message = fc
  .tuple(fc.integer({ min: 0, max: 18 }), fc.integer({ min: 0, max: 65_535 }), fc.array(field, { maxLength: 6 }))
  .map(([type, seq, fields]) => encodeFrame(encodeCbor([type, seq, ...fields])));
const noise = fc.uint8Array({ maxLength: 300 });

function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === "string" ? value.toWellFormed() : value;
}

test("after any input, everything that goes out is a good message, and the next PING is answered", async () => {
  const read = readDefinitions(FILE);
  const [definition] = read.kind === "ok" ? read.nodes : [];
  if (!definition) throw new Error("the file is good");
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(message, noise), { maxLength: 20 }), async (pieces) => {
      const clock = new VirtualClock();
      await using node = SimulatedNode.start({ clock, random: seededRandom(1), definition });
      const [near, far] = memoryLinks();
      const reader = new FrameReader(HUB_FRAME_LIMIT);
      const came: unknown[] = [];
      far.listen(
        (bytes) => {
          for (const event of reader.push(bytes)) came.push(event.kind === "frame" ? decodeBody(event.body) : event);
        },
        () => undefined,
      );
      node.attach(near);
      for (const piece of pieces) {
        await far.write(piece);
        await clock.advance(100);
      }
      await far.write(encodeFrame(encodeMessage({ type: "PING", seq: 4711 })));
      await settle();
      expect(came.at(-1)).toEqual({ kind: "message", message: { type: "PONG", seq: 4711 } });
      expect(came.filter((one) => (one as { kind: string }).kind !== "message")).toEqual([]);
    }),
    { numRuns: 100 },
  );
});
