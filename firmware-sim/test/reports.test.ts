/** What the C node tells by itself: one at a time, in order, the last value always, events never replaced. */
import type { Message } from "@porchlight/shared/wire";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Programs } from "./build.ts";
import { Harness } from "./harness.ts";

let programs: Programs;
let program: string;
let node: Harness;
beforeAll(async () => {
  programs = await Programs.make();
  program = await programs.build("harness", ["test/harness.c"], ["PL_DEVICES_MAX=2"]);
});
afterAll(() => programs[Symbol.asyncDispose]());
beforeEach(async () => {
  node = new Harness(program);
  await node.live();
});
afterEach(() => node[Symbol.asyncDispose]());

const [SWITCH, HUE, SATURATION] = [0, 1, 2];
const seqOf = ([first]: readonly Message[]) => first?.seq ?? -1;
const reported = (messages: readonly Message[]) =>
  messages.map((each) => (each.type === "REPORT" ? `${each.property} ${JSON.stringify(each.value)}` : each.type));
async function changed(slot: number, value: boolean | number): Promise<void> {
  await node.set(slot, value);
  await node.ask(`changed ${slot}`);
}

describe("reports", () => {
  it("are repeated every 500 ms under their seq until they are acknowledged", async () => {
    await changed(SWITCH, true);
    const stated = [...(await node.now()), ...(await node.pass(1_600))];
    expect(stated).toHaveLength(4);
    expect(new Set(stated.map(({ seq }) => seq)).size).toBe(1);
    expect(stated[0]).toEqual({
      ...{ type: "REPORT", seq: seqOf(stated), device: 0, service: "Switch", index: 0, property: "on", value: true },
    });
    await node.hear({ type: "ACK", seq: seqOf(stated) });
    expect(await node.pass(3_000)).toEqual([]);
  });

  it("wait for each other, in order", async () => {
    await changed(SATURATION, 1);
    await changed(SWITCH, true);
    await changed(HUE, 2);
    const first = await node.pass(20);
    expect(reported(first)).toEqual(["saturation 1"]);
    await node.hear({ type: "ACK", seq: seqOf(first) });
    const second = await node.pass(20);
    expect(reported(second)).toEqual(["on true"]);
    await node.hear({ type: "ACK", seq: seqOf(second) });
    expect(reported(await node.pass(20))).toEqual(["hue 2"]);
  });

  it("say the newest value when their turn comes, once", async () => {
    await changed(SWITCH, true);
    const first = await node.pass(20);
    await changed(HUE, 1);
    await changed(HUE, 2);
    await changed(HUE, 3);
    await node.hear({ type: "ACK", seq: seqOf(first) });
    const second = await node.pass(20);
    expect(reported(second)).toEqual(["hue 3"]);
    await node.hear({ type: "ACK", seq: seqOf(second) });
    expect(await node.pass(2_000)).toEqual([]);
  });

  it("whose value is replaced after they were sent are sent anew, and the old acknowledgement means nothing", async () => {
    await changed(HUE, 1);
    const first = await node.pass(20);
    await changed(HUE, 2);
    await node.hear({ type: "ACK", seq: seqOf(first) });
    const second = await node.pass(300);
    expect(reported(second)).toEqual(["hue 2"]);
    expect(seqOf(second)).not.toBe(seqOf(first));
    await node.hear({ type: "ACK", seq: seqOf(second) });
    expect(await node.pass(2_000)).toEqual([]);
  });

  it("whose value has changed without a word are never repeated with another under the same seq", async () => {
    await changed(HUE, 1);
    const first = await node.pass(20);
    await node.set(HUE, 2);
    const again = await node.pass(800);
    expect(reported(again)).toEqual(["hue 2"]);
    expect(seqOf(again)).not.toBe(seqOf(first));
  });

  it("come at most 4 times a second of one property, the last value always", async () => {
    const values: string[] = [];
    for (let value = 1; value <= 100; value++) {
      await changed(HUE, value);
      const stated = await node.pass(10);
      values.push(...reported(stated));
      for (const { seq } of stated) await node.hear({ type: "ACK", seq });
    }
    const last = await node.pass(300);
    expect(values).toHaveLength(4);
    expect(reported(last)).toEqual(["hue 100"]);
  });

  it("do not tell of the write itself, and say after it what now applies", async () => {
    const write = {
      type: "WRITE",
      seq: 5,
      device: 0,
      service: "LightColor",
      index: 0,
      property: "hue",
      value: 200,
    } as const;
    await node.hear(write);
    expect(await node.pass(2_000)).toEqual([]);
    await changed(HUE, 1);
    const first = await node.pass(20);
    await node.hear({ ...write, seq: 6, value: 201 });
    await node.hear({ type: "ACK", seq: seqOf(first) });
    expect(reported(await node.pass(600))).toEqual(["hue 201"]);
  });

  it("are put off by ERROR 9 under their seq, and settled by every other", async () => {
    await changed(SWITCH, true);
    const first = await node.now();
    await node.hear({ type: "ERROR", seq: seqOf(first), code: 9, text: "" });
    expect(await node.pass(490)).toEqual([]);
    expect(await node.pass(20)).toEqual(first);
    await node.hear({ type: "ERROR", seq: seqOf(first), code: 4, text: "" });
    expect(await node.pass(2_000)).toEqual([]);
  });

  it("survive a lost hub, the unanswered one under its own seq", async () => {
    await changed(SWITCH, true);
    const first = await node.now();
    await changed(HUE, 7);
    await node.hear({ type: "WHO", seq: 0 });
    const hello = (await node.pass(1_000)).at(-1);
    await node.hear({ type: "HELLO_ACK", seq: hello?.seq ?? 0, info: { v: 1, hub: "02-50-4C-00-00-01" } });
    expect(await node.now()).toEqual(first);
    await node.hear({ type: "ACK", seq: seqOf(first) });
    expect(reported(await node.pass(20))).toEqual(["hue 7"]);
  });

  it("go on after weeks without a report", async () => {
    await changed(SWITCH, true);
    await node.hear({ type: "ACK", seq: seqOf(await node.now()) });
    await node.sleep(30 * 86_400_000);
    await changed(SWITCH, false);
    expect(reported(await node.now())).toContain("on false");
  });
});

describe("events", () => {
  it("are all reported, spaced, in order", async () => {
    for (const word of [0, 1, 0]) await node.ask(`press ${word}`);
    const stated: string[] = [];
    for (let at = 0; at < 8; at++) {
      const now = await node.pass(100);
      stated.push(...reported(now));
      for (const { seq } of now) await node.hear({ type: "ACK", seq });
      if (at === 1) expect(stated).toHaveLength(1);
    }
    expect(stated).toEqual(['event "press"', 'event "release"', 'event "press"']);
  });

  it("keep at least 4 that wait: the oldest that was not sent gives way", async () => {
    await node.ask("press 0");
    const first = await node.now();
    for (const word of [1, 2, 3, 0, 1]) await node.ask(`press ${word}`);
    expect((await node.state()).lostEvents).toBe(1);
    const stated = reported(first);
    await node.hear({ type: "ACK", seq: seqOf(first) });
    for (let at = 0; at < 20; at++) {
      const now = await node.pass(100);
      stated.push(...reported(now));
      for (const { seq } of now) await node.hear({ type: "ACK", seq });
    }
    const expected = ["press", "double", "long", "press", "release"].map((word) => `event ${JSON.stringify(word)}`);
    expect(stated).toEqual(expected);
  });
});

describe("devices that come and go", () => {
  it("are reported by CHANGED until it is acknowledged, and keep their places", async () => {
    await node.ask("present 0 0");
    const gone = await node.now();
    expect(gone).toMatchObject([{ type: "CHANGED", devices: [null, "02-00-00-00-00-02"] }]);
    expect(await node.pass(500)).toEqual(gone);
    await node.hear({ type: "ACK", seq: seqOf(gone) });
    await node.ask("present 0 1");
    expect(await node.now()).toMatchObject([{ type: "CHANGED", devices: ["02-00-00-00-00-01", "02-00-00-00-00-02"] }]);
  });

  it("that change while that is unanswered are reported anew", async () => {
    await node.ask("present 0 0");
    const first = await node.now();
    await node.ask("present 1 0");
    await node.hear({ type: "ACK", seq: seqOf(first) });
    expect(await node.now()).toMatchObject([{ type: "CHANGED", seq: seqOf(first) + 1, devices: [null, null] }]);
  });
});
