import { settle } from "@porchlight/shared/kernel";
import { UNKNOWN_TIME } from "@porchlight/shared/model";
import { describe, expect, test } from "vitest";
import { Disk, device, LAMP, level, on, pending, pressed } from "./state.fixture.ts";

async function withLamp(settings: { readonly outboxBytes?: number } = {}) {
  const disk = new Disk();
  const state = disk.open(settings);
  await disk.done(state.arrive(device()));
  return { disk, state, [Symbol.dispose]: () => disk[Symbol.dispose]() };
}

describe("the history", () => {
  test("every learned value takes the next number, by whichever way it came", async () => {
    using hub = await withLamp();
    const { disk, state } = hub;
    await disk.report(state, on(true));
    const read = await disk.done(state.learn(level(20), "read"));
    await state.begin({ id: "cmd_1", ...level(40) });
    const result = await state.end({
      command: "cmd_1",
      ...level(40),
      requested: 40,
      outcome: "confirmed",
      observedAt: 1,
    });
    expect(pending(state).map(({ kind, n }) => [kind, n])).toEqual([
      ["presence", 1],
      ["value", 2],
      ["value", 3],
      ["result", 4],
    ]);
    expect([read.n, result.n, state.lastNumber]).toEqual([3, 4, 4]);
  });

  test("a confirmed command leaves its value under the number of its result", async () => {
    using hub = await withLamp();
    const { state } = hub;
    await state.begin({ id: "cmd_1", ...level(40) });
    const { n } = await state.end({
      command: "cmd_1",
      ...level(39.5),
      requested: 40,
      outcome: "confirmed",
      observedAt: 1,
    });
    expect(state.value(level(0))).toMatchObject({ value: 39.5, number: n });
  });

  test("a rejected command leaves the value as it was", async () => {
    using hub = await withLamp();
    const { disk, state } = hub;
    await disk.report(state, level(20));
    await state.begin({ id: "cmd_1", ...level(40) });
    const { value: _, ...target } = level(0);
    await state.end({ command: "cmd_1", ...target, requested: 40, outcome: "rejected", observedAt: 1 });
    expect(state.value(level(0))?.value).toBe(20);
  });

  test("an equal value is written at most once a minute, and is answered with the number that it has", async () => {
    using hub = await withLamp();
    const { disk, state } = hub;
    await disk.report(state, on(true));
    const before = state.lastNumber;
    await disk.clock.advance(59_000);
    const read = await disk.done(state.learn(on(true), "read"));
    expect(await disk.report(state, on(true))).toBe("stored");
    expect([read.n, state.lastNumber]).toEqual([before, before]);
    expect(read.observedAt).toBeGreaterThan(disk.clock.now() - 1000);
    await disk.clock.advance(2000);
    await disk.report(state, on(true));
    expect(state.lastNumber).toBe(before + 1);
  });

  test("of several reports in one commit the last counts, and each is remembered and sent", async () => {
    using disk = new Disk();
    let state = disk.open();
    await disk.done(state.arrive(device()));
    const names = [1, 2, 3].map((seq) => ({ node: LAMP, boot: 1, seq }));
    const stored = names.map((name) => state.report(level(name.seq * 10), name));
    expect(await disk.done(Promise.all(stored))).toEqual(["stored", "stored", "stored"]);
    state.kill();
    state = disk.open();
    expect(state.value(level(0))).toMatchObject({ value: 30, number: state.lastNumber });
    expect(pending(state).flatMap((record) => (record.kind === "value" ? [record.value] : []))).toEqual([10, 20, 30]);
    for (const name of names) expect(await disk.done(state.report(level(99), name))).toBe("repeated");
  });

  test("the minute outlives a restart of the agent", async () => {
    using hub = await withLamp();
    const { disk } = hub;
    let state = hub.state;
    await disk.report(state, on(true));
    const before = state.lastNumber;
    state.kill();
    state = disk.open();
    await disk.report(state, on(true));
    expect(state.lastNumber).toBe(before);
  });

  test("each press of a button is a record of its own, equal or not", async () => {
    using hub = await withLamp();
    const { disk, state } = hub;
    for (let times = 0; times < 3; times++) await disk.report(state, pressed());
    expect(pending(state).filter(({ kind }) => kind === "value")).toHaveLength(3);
  });

  test("a repeated report has no second effect, after any crash in between", async () => {
    using hub = await withLamp();
    const { disk } = hub;
    let state = hub.state;
    const name = { node: LAMP, boot: 7, seq: 3 };
    expect(await disk.done(state.report(pressed(), name))).toBe("stored");
    state.kill();
    state = disk.open();
    expect(await disk.done(state.report(pressed(), name))).toBe("repeated");
    expect(await disk.done(state.report(pressed(), { ...name, boot: 8 }))).toBe("stored");
    expect(pending(state).filter(({ kind }) => kind === "value")).toHaveLength(2);
  });

  test("of a node the last eight reports are remembered, and none after it has lost count of its boots", async () => {
    using hub = await withLamp();
    const { disk, state } = hub;
    for (let seq = 0; seq < 9; seq++) await disk.done(state.report(pressed(), { node: LAMP, boot: 0, seq }));
    expect(await disk.done(state.report(pressed(), { node: LAMP, boot: 0, seq: 1 }))).toBe("repeated");
    expect(await disk.done(state.report(pressed(), { node: LAMP, boot: 0, seq: 0 }))).toBe("stored");
    await disk.done(state.forgetReports(LAMP));
    expect(await disk.done(state.report(pressed(), { node: LAMP, boot: 0, seq: 8 }))).toBe("stored");
  });

  test("a report is not acknowledged before it is on disk: a kill before the commit loses both together", async () => {
    using hub = await withLamp();
    const { disk } = hub;
    const report = hub.state.report(on(true), { node: LAMP, boot: 1, seq: 1 });
    await settle();
    hub.state.kill();
    await expect(report).rejects.toThrow("closed");
    expect(disk.open().value(on(true))).toBeUndefined();
  });

  test("numbers go on where they stopped, also when all is acknowledged", async () => {
    using hub = await withLamp();
    const { disk } = hub;
    let state = hub.state;
    await disk.report(state, on(true));
    await disk.done(state.acknowledge(2));
    expect([state.queued, state.acknowledged]).toEqual([0, 2]);
    const { logId } = state;
    state.kill();
    state = disk.open();
    expect([state.lastNumber, state.acknowledged, state.logId]).toEqual([2, 2, logId]);
    await disk.report(state, on(false));
    expect(pending(state).map(({ n }) => n)).toEqual([3]);
  });

  test("a resync sends every current value again under a new number, but no event", async () => {
    using hub = await withLamp();
    const { disk, state } = hub;
    await disk.report(state, on(true));
    await disk.report(state, level(5));
    await disk.report(state, pressed());
    await disk.done(state.acknowledge(state.lastNumber));
    const before = state.lastNumber;
    await state.resync();
    const records = pending(state);
    expect(records.map(({ n }) => n)).toEqual([before + 1, before + 2]);
    expect(records.map((record) => record.kind === "value" && record.property).sort()).toEqual(["level", "on"]);
    expect(state.value(on(true))?.number).toBeGreaterThan(before);
  });

  test("a new history has a new name and sends every value", async () => {
    using hub = await withLamp();
    const { disk, state } = hub;
    await disk.report(state, on(true));
    await disk.done(state.acknowledge(2));
    const { logId } = state;
    await state.renewLog();
    expect(state.logId).not.toBe(logId);
    expect([state.acknowledged, state.queued]).toEqual([0, 1]);
  });

  test("a write that fails takes no other with it, and leaves no number used up and no trace in memory", async () => {
    using hub = await withLamp();
    const { disk, state } = hub;
    // No JSON, so that SQLite refuses it, after it has taken its number.
    const bad = state.learn({ ...level(0), value: Symbol("no value") as never }, "read");
    const outcomes = await disk.done(
      Promise.allSettled([state.learn(on(true), "read"), bad, state.learn(on(false), "read")]),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(pending(state).map(({ n }) => n)).toEqual([1, 2, 3]);
    expect([state.lastNumber, state.queued, state.value(level(0))]).toEqual([3, 3, undefined]);
    state.kill();
    expect(disk.open().lastNumber).toBe(3);
  });

  test("those who listen hear of new devices before the records of them", async () => {
    using disk = new Disk();
    const state = disk.open();
    const heard: string[] = [];
    state.listen({ devices: () => heard.push("devices"), records: () => heard.push("records") });
    await disk.done(Promise.all([state.arrive(device()), state.report(on(true), { node: LAMP, boot: 1, seq: 1 })]));
    expect(heard).toEqual(["devices", "records"]);
  });
});

describe("devices", () => {
  test("one that leaves and comes back has a larger arrival number, and both are sent", async () => {
    using hub = await withLamp();
    const { disk, state } = hub;
    const first = state.device(LAMP)?.arrival ?? 0;
    await disk.done(state.leave(LAMP));
    expect(state.device(LAMP)?.online).toBe(false);
    await disk.done(state.arrive(device()));
    expect(state.device(LAMP)?.arrival).toBeGreaterThan(first);
    expect(pending(state).map((record) => record.kind === "presence" && record.online)).toEqual([true, false, true]);
  });

  test("a restart of the agent is no coming and going of its devices", async () => {
    using hub = await withLamp();
    const { disk } = hub;
    const digest = hub.state.inventoryDigest;
    hub.state.kill();
    const state = disk.open();
    await disk.done(state.arrive(device()));
    expect([state.inventoryDigest, state.queued]).toEqual([digest, 1]);
  });

  test("the inventory's digest changes with a description and with an arrival, and not with presence", async () => {
    using hub = await withLamp();
    const { disk, state } = hub;
    const first = state.inventoryDigest;
    await disk.done(state.leave(LAMP));
    expect(state.inventoryDigest).toBe(first);
    await disk.done(state.arrive(device()));
    const again = state.inventoryDigest;
    expect(again).not.toBe(first);
    await disk.done(state.arrive({ ...device(), about: { firmware: "2" } }));
    expect(state.inventoryDigest).not.toBe(again);
  });
});

describe("a property that a device no longer describes", () => {
  const without = (service: string) => {
    const { description, ...rest } = device();
    return { ...rest, description: description.filter((each) => each.service !== service) };
  };

  test("ends: its value is reported as none, and a later one at the same address begins without a value", async () => {
    using hub = await withLamp();
    const { disk, state } = hub;
    await disk.report(state, on(true));
    await disk.report(state, level(20));
    await disk.done(state.arrive(without("Switch")));
    expect(state.value(on(0))).toBeUndefined();
    expect(state.value(level(0))?.value).toBe(20);
    expect(pending(state).at(-1)).toMatchObject({ kind: "value", ...on(null), cause: "report" });
    await disk.done(state.arrive(device()));
    expect(state.value(on(0))).toBeUndefined();
    state.kill();
    const again = disk.open();
    expect(again.value(on(0))).toBeUndefined();
  });

  test("of which the last press was stored ends without a record", async () => {
    using hub = await withLamp();
    const { disk, state } = hub;
    await disk.report(state, pressed());
    const before = pending(state).length;
    await disk.done(state.arrive(without("Button")));
    expect([pending(state).length, state.value(pressed())]).toEqual([before, undefined]);
  });
});

describe("a value that a broker has retained since an unknown time", () => {
  test("counts while nothing else is known, and is sent with an unknown age", async () => {
    using disk = new Disk();
    const state = disk.open();
    await disk.done(state.arrive(device()));
    await disk.done(state.learnRetained(level(7)));
    expect(state.value(level(0))).toMatchObject({ value: 7, observedAt: UNKNOWN_TIME, modifiedAt: UNKNOWN_TIME });
    expect(pending(state).filter(({ kind }) => kind === "value")).toMatchObject([
      { value: 7, observedAt: UNKNOWN_TIME },
    ]);
    state.learnTime(disk.clock.now() + 3_600_000, disk.clock.monotonic());
    expect(pending(state).filter(({ kind }) => kind === "value")).toMatchObject([{ observedAt: UNKNOWN_TIME }]);
    expect(state.value(level(0))).toMatchObject({ observedAt: UNKNOWN_TIME, modifiedAt: UNKNOWN_TIME });
  });

  test("moves no value that the device has reported as well, and no event", async () => {
    using disk = new Disk();
    const state = disk.open();
    await disk.done(state.arrive(device()));
    const { observedAt } = await disk.done(state.learn(level(7), "read"));
    await disk.done(state.learnRetained(level(7)));
    await disk.done(state.learnRetained(pressed()));
    expect(state.value(level(0))).toMatchObject({ value: 7, observedAt });
    expect(state.value(pressed())).toBeUndefined();
  });

  test("ends another value that the device has reported: which of the two holds now is unknown", async () => {
    using disk = new Disk();
    const first = disk.open();
    await disk.done(first.arrive(device()));
    await disk.done(first.learn(level(7), "read"));
    first.kill();
    const state = disk.open();
    const before = pending(state).length;
    await disk.done(state.learnRetained(level(9)));
    await disk.done(state.learnRetained(level(9)));
    expect(state.value(level(0))).toMatchObject({ value: null });
    expect(state.value(level(0))?.observedAt).not.toBe(UNKNOWN_TIME);
    expect(pending(state).slice(before)).toMatchObject([{ kind: "value", value: null }]);
    await disk.done(state.learn(level(9), "read"));
    expect(state.value(level(0))).toMatchObject({ value: 9 });
  });

  test("counts in place of another one that was kept", async () => {
    using disk = new Disk();
    const state = disk.open();
    await disk.done(state.arrive(device()));
    for (const kept of [7, 9]) await disk.done(state.learnRetained(level(kept)));
    expect(state.value(level(0))).toMatchObject({ value: 9, observedAt: UNKNOWN_TIME });
  });

  test("has its age as soon as the device says the same, also within a minute, and after a restart", async () => {
    using disk = new Disk();
    const first = disk.open();
    await disk.done(first.arrive(device()));
    await disk.done(first.learnRetained(level(7)));
    first.kill();
    const state = disk.open();
    expect(state.value(level(0))).toMatchObject({ observedAt: UNKNOWN_TIME });
    const at = disk.clock.now();
    await disk.done(state.learn(level(7), "read"));
    const { observedAt = 0, modifiedAt } = state.value(level(0)) ?? {};
    expect(observedAt).toBeGreaterThanOrEqual(at);
    expect(modifiedAt).toBe(observedAt);
    expect(pending(state).at(-1)).toMatchObject({ kind: "value", value: 7, observedAt });
  });
});
