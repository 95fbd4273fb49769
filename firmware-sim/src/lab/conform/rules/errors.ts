/** Section 4, ERROR: the codes by which a node reports problems, and good frames with invalid content. */
import { type Encodable, encodeCbor, type Message } from "@porchlight/shared/wire";
import { frameOf } from "../bytes.ts";
import type { NodeBench } from "../node-bench.ts";
import { Broken, type Rule } from "../rule.ts";
import { anyPlace, badValues, canRead, canWrite, read, readOf, type Target, targets, writeOf } from "../targets.ts";

export const ERRORS: readonly Rule<NodeBench>[] = [
  {
    id: "E1",
    looksAt: "requests for unknown, unreadable and unwritable properties, and values that must be rejected",
    async run(bench) {
      await bench.live();
      await codesOfAddresses(bench);
      await codesOfValues(bench);
      return undefined;
    },
  },
  {
    id: "W1",
    looksAt: "valid frames that are not a message",
    async run(bench) {
      await bench.live();
      for (const body of [{ a: 1 }, 7, "text", null, [], [11], ["PING", 1], [11, -1], [11, 65_536], [11, 1.5], [-1, 1]])
        await bench.ignores(frameOf(encodeCbor(body)), `The body ${JSON.stringify(body)}`);
      return undefined;
    },
  },
  {
    id: "W2",
    looksAt: "messages of types that are not in the table",
    async run(bench) {
      await bench.live();
      // Some of them equal PING in their last byte.
      for (const type of [0, 17, 77, 255, 256 + 11, 65_536, 65_536 + 11, 4_294_967_296]) {
        const seq = bench.newSeq();
        await bench.expectError(encodeCbor([type, seq, true]), seq, 1, `The unknown type ${type}`);
      }
      return undefined;
    },
  },
  {
    id: "W3",
    looksAt: "requests with missing and wrong fields",
    async run(bench) {
      await bench.live();
      const place = anyPlace(bench);
      const bodies: Encodable[][] = [
        [3],
        [3, place],
        [3, "0", 0],
        [5, place],
        [5, place, "Switch", 0],
        [5, place, 1, 0, "on"],
        [5, place, "Switch", 1000, "on"],
        [7, place, "Switch", 0, "on"],
        [7, place, "Switch", -1, "on", true],
        [15, place],
        [15, place, "half a minute"],
        [15, null, 1],
      ];
      for (const [type = 0, ...fields] of bodies) {
        const seq = bench.newSeq();
        await bench.expectError(
          encodeCbor([type, seq, ...fields]),
          seq,
          2,
          `The request ${JSON.stringify([type, seq, ...fields])}`,
        );
      }
      return undefined;
    },
  },
  {
    id: "W4",
    looksAt: "requests that only a node may send",
    async run(bench) {
      await bench.live();
      const id = bench.hello?.id ?? "";
      const info = { v: 1, id, devices: [id], boot: 1, max: 128 };
      const requests: Encodable[][] = [[1, info], [9, 0, "Switch", 0, "on", true], [9], [14, [id]]];
      for (const [type = 0, ...rest] of requests)
        await bench.ignores(
          frameOf(encodeCbor([type, bench.newSeq(), ...rest])),
          `A message of type ${JSON.stringify(type)}, which only a node sends,`,
        );
      return undefined;
    },
  },
  {
    id: "W5",
    looksAt: "unexpected answers",
    async run(bench) {
      await bench.live();
      const hub = { v: 1, hub: "02-50-4C-00-00-FE" };
      const answers: Encodable[][] = [
        [10],
        [12],
        [13, 9, "busy"],
        [13],
        [6, 1],
        [8, true],
        [4, 0, 0, 1, [], {}],
        [2, hub],
      ];
      for (const [type = 0, ...rest] of answers)
        await bench.ignores(
          frameOf(encodeCbor([type, bench.newSeq(), ...rest])),
          `An answer of type ${JSON.stringify(type)} without a request`,
        );
      if (!(await bench.isLive(anyPlace(bench)))) throw new Broken("An unexpected answer ended the session.");
      return undefined;
    },
  },
];

async function codesOfAddresses(bench: NodeBench): Promise<void> {
  const beyond = bench.hello?.devices.length ?? 0;
  const place = anyPlace(bench);
  const seq = () => bench.newSeq();
  const refused = (message: Message, code: number, what: string) => bench.expectError(message, message.seq, code, what);
  const nowhere = { device: beyond, service: "Switch", index: 0, property: "on" };
  await refused({ type: "READ", seq: seq(), ...nowhere }, 3, "A READ of an unknown place");
  await refused({ type: "WRITE", seq: seq(), ...nowhere, value: true }, 3, "A WRITE to an unknown place");
  await refused({ type: "DESCRIBE", seq: seq(), device: beyond, part: 0 }, 3, "A DESCRIBE of an unknown place");
  await refused({ type: "IDENTIFY", seq: seq(), device: beyond, seconds: 0 }, 3, "An IDENTIFY of an unknown place");
  const unknown = { device: place, service: "NoSuchService", index: 0, property: "on" };
  await refused({ type: "READ", seq: seq(), ...unknown }, 4, "A READ of an unknown service");
  await refused({ type: "WRITE", seq: seq(), ...unknown, value: true }, 4, "A WRITE to an unknown service");
  await refused({ type: "READ", seq: seq(), ...nowhere, device: place + 256 }, 3, "A READ of a place above 255");
  const longest = "x".repeat(Math.min(200, bench.limit - 40));
  const long = { device: place, service: longest, index: 0, property: "on" };
  await refused(
    { type: "READ", seq: seq(), ...long },
    4,
    `A READ of a service whose name has ${longest.length} letters`,
  );
  const [target] = targets(bench);
  if (!target) return;
  await nearNames(bench, target);
  const other = targets(bench, (each) => each.device === target.device && each.service === target.service);
  const index = [998, 997, 996].find((free) => other.every((each) => each.index !== free)) ?? 995;
  await refused(readOf({ ...target, index }, seq()), 4, "A READ of a service with an unknown index");
  if (target.index + 256 <= 999 && other.every((each) => each.index !== target.index + 256))
    await refused(readOf({ ...target, index: target.index + 256 }, seq()), 4, "A READ of an index above 255");
  await refused(readOf({ ...target, property: "noSuchProperty" }, seq()), 5, "A READ of an unknown property");
  await refused(writeOf({ ...target, property: "noSuchProperty" }, seq(), 1), 5, "A WRITE to an unknown property");
}

/** Names that differ from a valid one only in the end or the case. @throws Broken when the node accepts one */
async function nearNames(bench: NodeBench, target: Target): Promise<void> {
  const near = (name: string) => [name.slice(0, -1), `${name}x`, swappedCase(name)];
  const [services, names] = [
    targets(bench, (each) => each.device === target.device).map(({ service }) => service),
    targets(bench, (each) => each.device === target.device && each.service === target.service).map(
      (each) => each.property,
    ),
  ];
  for (const service of near(target.service).filter((each) => each !== "" && !services.includes(each))) {
    const read = readOf({ ...target, service }, bench.newSeq());
    await bench.expectError(read, read.seq, 4, `A READ of the unknown service ${service}`);
  }
  for (const property of near(target.property).filter((each) => each !== "" && !names.includes(each))) {
    const read = readOf({ ...target, property }, bench.newSeq());
    await bench.expectError(read, read.seq, 5, `A READ of the unknown property ${property}`);
  }
}

function swappedCase(name: string): string {
  return [...name].map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())).join("");
}

async function codesOfValues(bench: NodeBench): Promise<void> {
  for (const target of targets(bench, canWrite)) {
    const before = canRead(target) ? await read(bench, target) : undefined;
    for (const { value, why } of badValues(target.description)) {
      const from = bench.log.end;
      const write = writeOf(target, bench.newSeq(), value);
      await bench.expectError(
        write,
        write.seq,
        8,
        `A WRITE of ${target.property} with ${JSON.stringify(value)} (${why})`,
      );
      const now = before === undefined ? undefined : await read(bench, target);
      if (JSON.stringify(now) !== JSON.stringify(before))
        throw new Broken(
          `A WRITE of ${target.property} was rejected, but the value has changed.`,
          bench.log.since(from),
        );
    }
  }
}
