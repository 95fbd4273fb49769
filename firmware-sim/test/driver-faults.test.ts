/** What the C node does when its driver gives what no hub takes, says that what it reads has changed, or has nothing to notify. */
import { encodeCbor, type Message } from "@porchlight/shared/wire";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Programs } from "./build.ts";
import { Harness } from "./harness.ts";

let programs: Programs;
let program: string;
let counting: string;
let node: Harness;
beforeAll(async () => {
  programs = await Programs.make();
  program = await programs.build("harness", ["test/harness.c"], ["PL_DEVICES_MAX=2"]);
  const large = ["PL_DEVICES_MAX=2", "PL_FRAME_MAX=4095", "COUNT_CALLS"];
  counting = await programs.build("harness-counting", ["test/harness.c"], large, ["-finstrument-functions"]);
});
afterAll(() => programs[Symbol.asyncDispose]());
beforeEach(async () => {
  node = new Harness(program);
  await node.live();
});
afterEach(() => node[Symbol.asyncDispose]());

const [SWITCH, HUE, PLAN] = [0, 1, 7];
const UNSENDABLE = [
  "NaN",
  "infinity",
  "2^53",
  "a text that is not UTF-8",
  "half an item",
  "a key twice",
  "too long a text",
];
const READ = { type: "READ", seq: 3, device: 0, service: "LightColor", index: 0, property: "hue" } as const;
const reported = (messages: readonly Message[]) =>
  messages.map((each) => (each.type === "REPORT" ? `${each.property} ${JSON.stringify(each.value)}` : each.type));
async function acknowledged(ms: number): Promise<string[]> {
  const stated = await node.pass(ms);
  for (const { seq } of stated) await node.hear({ type: "ACK", seq });
  return reported(stated);
}

describe.each(UNSENDABLE.map((what, which) => ({ what, which })))("$what", ({ which }) => {
  it("from a driver is reported as no value, is counted, and holds up no later report", async () => {
    expect(await node.ask(`wrong ${HUE} ${which}`)).toBe(String(UNSENDABLE.length));
    await node.ask(`changed ${HUE}`);
    expect(await acknowledged(20)).toEqual(["hue null"]);
    await node.set(SWITCH, true);
    await node.ask(`changed ${SWITCH}`);
    expect(await acknowledged(20)).toEqual(["on true"]);
    expect((await node.state()).unsendable).toBe(1);
    await node.ask(`wrong ${HUE} 99`);
    await node.set(HUE, 12);
    await node.ask(`changed ${HUE}`);
    expect(await acknowledged(300)).toEqual(["hue 12"]);
  });

  it("from a driver answers a READ with ERROR 10", async () => {
    await node.ask(`wrong ${HUE} ${which}`);
    expect(await node.hear(READ)).toMatchObject([{ type: "ERROR", seq: 3, code: 10 }]);
    expect((await node.state()).unsendable).toBe(1);
  });

  it("as an event is left out and counted, and the next event is reported", async () => {
    await node.ask(`event ${which}`);
    await node.ask("press 0");
    expect(await acknowledged(40)).toEqual(['event "press"']);
    expect((await node.state()).unsendable).toBe(1);
  });
});

describe("a read whose answer reports a change", () => {
  it("is not called from within itself, also after a lost ACK, and is reported once", async () => {
    await node.ask("tells 1");
    await node.set(HUE, 5);
    expect(await node.hear(READ)).toMatchObject([{ type: "VALUE", value: 5 }]);
    const first = await node.pass(20);
    expect(reported(first)).toEqual(["hue 5"]);
    // The ACK is lost: the same once more.
    expect(await node.pass(600)).toEqual(first);
    await node.hear({ type: "ACK", seq: first[0]?.seq ?? -1 });
    expect(await node.ask("deepest")).toBe("1");
    expect(await node.pass(3_000)).toEqual([]);
  });
});

describe("a change of what cannot notify", () => {
  it("is not reported, and neither is an event of what can be read", async () => {
    await node.set(PLAN, 1);
    await node.ask(`changed ${PLAN}`);
    expect(await node.pass(1_000)).toEqual([]);
  });
});

describe("a frame of 4,095 bytes", () => {
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`${n.toString(36)}`, 0]));
  const nested = (depth: number): unknown => ({ ...keys(130), z: depth > 1 ? nested(depth - 1) : 0 });
  it.each([
    ["maps with 900 keys", keys(900)],
    ["maps in maps, 7 deep", nested(7)],
    ["lists of small maps", Array.from({ length: 1_000 }, () => ({ "": 0 }))],
  ])("of %s is checked in a time that goes with its length", async (_, value) => {
    await using large = new Harness(counting);
    const item = encodeCbor(value as never);
    expect(item.length).toBeGreaterThan(3_000);
    expect(item.length).toBeLessThan(7_000);
    const [word, calls] = (await large.ask(`calls ${Buffer.from(item).toString("hex")}`)).split(" ");
    expect(word).toBe("good");
    // Sorting n keys takes 2n log2(n) comparisons of three calls each.
    expect(Number(calls) / item.length).toBeLessThan(40);
  });

  it("with a key twice is refused, wherever the two stand", async () => {
    await using large = new Harness(counting);
    const hex = Buffer.from(encodeCbor(keys(900))).toString("hex");
    const key = (n: number) => Buffer.from(encodeCbor(n.toString(36))).toString("hex");
    const pairs = [
      [500, 120],
      [899, 898],
      [36, 899],
      [0, 35],
    ] as const;
    for (const [one, other] of pairs) {
      const [from, to] = [`${key(one)}00`, `${key(other)}00`];
      expect(hex).toContain(from);
      expect(await large.ask(`calls ${hex.replace(from, to)}`)).toMatch(/^bad /);
    }
  });
});
