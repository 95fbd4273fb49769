/** The hand-made vectors of the device protocol, through the C code. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bytes, hex, vectors } from "../../test/vectors/vectors.ts";
import { Programs } from "./build.ts";
import { Harness } from "./harness.ts";

const LIMITS = [...new Set(vectors("streams").map(({ limit }) => limit))];

let programs: Programs;
const harnesses = new Map<number, Harness>();
beforeAll(async () => {
  programs = await Programs.make();
  const build = (limit: number) =>
    programs.build(`harness-${limit}`, ["test/harness.c"], [`PL_FRAME_MAX=${limit}`, "PL_DEVICES_MAX=2"]);
  for (const limit of LIMITS) harnesses.set(limit, new Harness(await build(limit)));
});
afterAll(async () => {
  for (const harness of harnesses.values()) await harness[Symbol.asyncDispose]();
  await programs[Symbol.asyncDispose]();
});

function withLimit(limit: number): Harness {
  const found = harnesses.get(limit);
  if (!found) throw new Error(`nothing is built for frames of ${limit} bytes`);
  return found;
}

describe("the CBOR profile", () => {
  test.each(vectors("cbor"))("$name ($hex)", async ({ hex: item, value, damage, canonical }) => {
    const [verdict, again] = (await withLimit(4095).ask(`item ${item.replaceAll(" ", "")}`)).split(" ");
    expect(verdict).toBe(damage ? "bad" : "good");
    const isScalar = typeof value !== "object" || value === null;
    if (canonical && isScalar) expect(again).toBe(item.replaceAll(" ", ""));
  });

  test("a number in any form is sent in the one that the profile has for it", async () => {
    for (const { value, hex: item } of vectors("cbor")) {
      if (typeof value !== "number") continue;
      const own = vectors("cbor").find((other) => other.canonical && Object.is(other.value, value));
      if (own)
        expect(await withLimit(4095).ask(`item ${item.replaceAll(" ", "")}`)).toBe(
          `good ${own.hex.replaceAll(" ", "")}`,
        );
    }
  });
});

describe("streams of bytes", () => {
  test.each(vectors("streams"))("$name", async ({ limit, stream, events }) => {
    const expected = events.map((event) => {
      if ("frame" in event) return event.frame.replaceAll(" ", "");
      // Both are counted as one: what is too short has no CRC.
      return event.damage === "too_short" ? "bad_crc" : event.damage;
    });
    const shown = await withLimit(limit).ask(`stream ${stream.replaceAll(" ", "")}`);
    expect(shown.split(" ").filter((word) => word !== "")).toEqual(expected);
  });
});

describe("good frames that say nothing good", () => {
  test.each(vectors("bodies"))("$name", async ({ body, expect: expected }) => {
    const node = withLimit(4095);
    await node.live();
    const before = await node.state();
    const stated = await node.bytes(framed(body));
    const isDamage = expected.kind === "damage";
    expect((await node.state()).damaged - before.damaged, "frames dropped and counted").toBe(isDamage ? 1 : 0);
    const ofHubs = ["DESCRIBE", "READ", "WRITE", "IDENTIFY"];
    if (expected.kind === "unknown_type") expect(stated).toMatchObject([{ type: "ERROR", seq: expected.seq, code: 1 }]);
    else if (expected.kind === "malformed" && ofHubs.includes(expected.type))
      expect(stated).toMatchObject([{ type: "ERROR", seq: expected.seq, code: 2 }]);
    else if (expected.kind !== "message") expect(stated).toEqual([]);
  });
});

test("what a node sends is as the page says, to the byte", async () => {
  const node = withLimit(4095);
  await node.live();
  const ping = vectors("messages").find(({ message }) => message.type === "PING" && message.seq === 7);
  const pong = vectors("messages").find(({ message }) => message.type === "PONG" && message.seq === 7);
  if (!ping || !pong) throw new Error("the page has both");
  await node.ask(`in 0 ${ping.frame.replaceAll(" ", "")}`);
  expect(hex(bytes(await node.ask("out")))).toBe(pong.frame);
});

/** A body as a frame, by another CRC than that of the code under test. */
function framed(body: string): Uint8Array {
  let crc = 0xffff;
  const given = [...bytes(body)];
  for (const byte of given) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
  }
  const escaped = [...given, crc >> 8, crc & 0xff].flatMap((byte) =>
    byte === 0xc0 ? [0xdb, 0xdc] : byte === 0xdb ? [0xdb, 0xdd] : [byte],
  );
  return Uint8Array.from([0xc0, ...escaped, 0xc0]);
}
