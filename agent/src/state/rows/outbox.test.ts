import { type Log, silentLog } from "@porchlight/shared/kernel";
import { describe, expect, test } from "vitest";
import { Disk, device, level, on, pending, pressed } from "../state.fixture.ts";

/** A hub whose outbox holds about 20 records, full of what a test puts in. */
async function small(log: Log = silentLog) {
  const disk = new Disk();
  const state = disk.open({ outboxBytes: 4000, log });
  await disk.done(state.arrive(device()));
  return { disk, state, [Symbol.dispose]: () => disk[Symbol.dispose]() };
}

describe("a full outbox", () => {
  test("drops values of which it keeps a newer one, counts them and says so", async () => {
    const warnings: string[] = [];
    using hub = await small({ ...silentLog, warn: (_fields, message) => warnings.push(message) });
    const { disk, state } = hub;
    for (let value = 0; value < 200; value++) await disk.report(state, level(value));
    const status = state.status();
    expect(status.queuedBytes).toBeLessThanOrEqual(4000);
    expect(status.droppedValues).toBe(201 - status.queuedRecords);
    expect(warnings).toEqual(["the outbox is full: values are dropped if a newer one is waiting"]);
    expect(pending(state).at(-1)).toMatchObject({ kind: "value", value: 199 });
  });

  test("never drops an event, a result, or the last value of a property", async () => {
    using hub = await small();
    const { disk, state } = hub;
    await disk.report(state, on(true));
    for (let times = 0; times < 5; times++) await disk.report(state, pressed());
    await state.begin({ id: "cmd_1", ...on(false) });
    await state.end({ command: "cmd_1", ...on(false), requested: false, outcome: "rejected", observedAt: 1 });
    for (let value = 0; value < 100; value++) await disk.report(state, level(value));
    const kept = pending(state);
    expect(kept.filter((record) => record.kind === "value" && record.property === "event")).toHaveLength(5);
    expect(kept.filter((record) => record.kind === "value" && record.property === "on")).toHaveLength(1);
    expect(kept.filter((record) => record.kind === "result")).toHaveLength(1);
  });

  test("of events answers busy to a further one, still takes values and results, and is open again when there is room", async () => {
    using hub = await small();
    const { disk, state } = hub;
    let taken = 0;
    while ((await disk.report(state, pressed())) === "stored") taken += 1;
    expect(taken).toBeGreaterThan(10);
    expect(await disk.report(state, pressed())).toBe("busy");
    expect(state.status()).toMatchObject({ full: true, refusedEvents: 2 });

    for (let value = 0; value < 50; value++) expect(await disk.report(state, level(value))).toBe("stored");
    expect(pending(state).filter((record) => record.kind === "value" && record.property === "level")).toHaveLength(1);
    await state.begin({ id: "cmd_1", ...on(false) });
    await state.end({ command: "cmd_1", ...on(false), requested: false, outcome: "confirmed", observedAt: 1 });
    expect(pending(state).at(-1)?.kind).toBe("result");

    await disk.done(state.acknowledge(state.lastNumber));
    expect(await disk.report(state, pressed())).toBe("stored");
  });

  test("a report that was answered busy is stored when it comes again", async () => {
    using hub = await small();
    const { disk, state } = hub;
    while ((await disk.report(state, pressed())) === "stored");
    const name = { node: "00-1B-44-11-3A-B7", boot: 9, seq: 1 };
    expect(await disk.done(state.report(pressed("long"), name))).toBe("busy");
    await disk.done(state.acknowledge(state.lastNumber));
    expect(await disk.done(state.report(pressed("long"), name))).toBe("stored");
  });
});

describe("pending records", () => {
  test("come in order after a number, at most so many and so many bytes, and one at least", async () => {
    using disk = new Disk();
    const state = disk.open();
    await disk.done(state.arrive(device()));
    for (let times = 0; times < 9; times++) await disk.report(state, pressed());
    const numbers = (after: number, limit: number, bytes: number) =>
      state.pending(after, limit, bytes).map(({ n }) => n);
    expect(numbers(3, 4, 100_000)).toEqual([4, 5, 6, 7]);
    expect(numbers(3, 4, 1)).toEqual([4]);
    expect(numbers(8, 100, 100_000)).toEqual([9, 10]);
    expect(numbers(10, 100, 100_000)).toEqual([]);
  });

  test("are the same as JSON, also those whose time was learned after they were stored", async () => {
    using disk = new Disk();
    const state = disk.open();
    await disk.done(state.arrive(device()));
    await disk.report(state, level(5));
    const guessed = pending(state).at(-1)?.observedAt ?? 0;
    const later = 3_600_000;
    state.learnTime(disk.clock.now() + later, disk.clock.monotonic());
    await state.begin({ id: "cmd_1", ...on(false) });
    await state.end({ command: "cmd_1", ...on(false), requested: false, outcome: "confirmed", observedAt: 1 });
    const { texts, last } = state.pendingTexts(0, 100, 100_000);
    expect(texts.map((text) => JSON.parse(text))).toEqual(pending(state));
    expect(JSON.parse(texts.at(-2) ?? "").observedAt).toBe(guessed + later);
    expect(last).toBe(state.lastNumber);
    expect(state.pendingTexts(last, 100, 100_000)).toEqual({ texts: [], last });
  });
});
