/** What history cannot add up or store on a hub: commands, reports and results go on, and the time of it is a gap. */
import Database from "better-sqlite3";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Disk, device, LAMP, level, on } from "../state.fixture.ts";
import type { State } from "../state.ts";
import { SeriesRows } from "./series-rows.ts";

/** 2026-01-01. */
const START = 1_767_225_600_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const HOME = { homeEvents: { edgeId: "02-00-00-00-00-01" } };
const LEVEL = { device: LAMP, service: "LightLevel", index: "0", property: "level" };

async function hub(disk: Disk): Promise<State> {
  await disk.clock.advance(Math.max(0, START - disk.clock.now()));
  const state = disk.open(HOME);
  state.learnTime(disk.clock.now(), disk.clock.monotonic());
  await disk.done(state.arrive(device()));
  return state;
}

/** A write from the cloud, from its entry to its end. */
async function write(disk: Disk, state: State, value: number, command: string) {
  const request = { id: command, ...LEVEL, value, local: false } as const;
  await disk.done(state.begin(request));
  const end = {
    command,
    ...LEVEL,
    requested: value,
    outcome: "confirmed",
    value,
    observedAt: disk.clock.now(),
  } as const;
  return disk.done(state.end(end));
}

const source = (state: State) =>
  state.series.source({ target: LEVEL, deviceId: "dev_1", kind: "number", unit: undefined });
const values = async (state: State) =>
  (await source(state).raw(0, Number.MAX_SAFE_INTEGER, undefined, 100)).map(({ value }) => JSON.parse(value));

describe("numbers whose sum is larger than a number can be", () => {
  it("leave every later write confirmed, in this life of the agent and in the next", async () => {
    using disk = new Disk();
    const state = await hub(disk);
    for (const value of [1.79e308, -1.79e308, 20]) {
      await disk.report(state, level(value));
      await disk.clock.advance(MINUTE);
    }
    await disk.clock.advance(HOUR);
    expect(await write(disk, state, 30, "cmd_1")).toMatchObject({ outcome: "confirmed" });
    await state[Symbol.asyncDispose]();
    const again = await hub(disk);
    await disk.clock.advance(HOUR);
    expect(await write(disk, again, 40, "cmd_2")).toMatchObject({ outcome: "confirmed" });
    expect(await values(again)).toEqual([1.79e308, -1.79e308, 20, 30, 40]);
    expect(again.status().notRecorded).toBe(0);
    const steps = await source(again).kept("hours", 0, Number.MAX_SAFE_INTEGER);
    expect(steps[0]).toMatchObject({ area: null, count: 3, last: "20" });
  });
});

describe("a change that the database refuses", () => {
  // A trigger would do, but the agent takes a database with a foreign trigger for a damaged one.
  const refuse = () => new Database.SqliteError("NOT NULL constraint failed", "SQLITE_CONSTRAINT_NOTNULL");
  const { addChange, addStep } = SeriesRows.prototype;
  const refuseValue = (value: string) =>
    vi.spyOn(SeriesRows.prototype, "addChange").mockImplementation(function (this: SeriesRows, series, row) {
      if (row.value === value) throw refuse();
      addChange.call(this, series, row);
    });
  afterEach(() => vi.restoreAllMocks());

  it("is left out of history and of nothing else: reports, results and the journal have it", async () => {
    using disk = new Disk();
    refuseValue("666");
    const state = await hub(disk);
    await disk.report(state, level(1));
    await disk.clock.advance(MINUTE);
    const before = disk.clock.now();
    expect(await write(disk, state, 666, "cmd_1")).toMatchObject({ outcome: "confirmed", value: 666 });
    expect(await disk.report(state, on(true))).toBe("stored");
    expect(state.value(LEVEL)?.value).toBe(666);
    expect(state.entry("cmd_1")).toMatchObject({ kind: "ended" });
    expect(state.status().notRecorded).toBe(1);
    const [lasting] = await source(state).gaps(before, Number.MAX_SAFE_INTEGER);
    expect(lasting).toMatchObject({ until: Number.POSITIVE_INFINITY, reason: "not_recorded" });
    await disk.clock.advance(MINUTE);
    await disk.report(state, level(1));
    expect(await values(state)).toEqual([1, 1]);
    const [over] = await source(state).gaps(before, Number.MAX_SAFE_INTEGER);
    expect(over?.from).toBe(lasting?.from);
    expect((over?.until ?? 0) - (over?.from ?? 0)).toBeGreaterThanOrEqual(MINUTE);
    expect((over?.until ?? 0) - (over?.from ?? 0)).toBeLessThan(MINUTE + 1_000);
    const other = { ...LEVEL, service: "Switch", property: "on" };
    const ofOther = state.series.source({ target: other, deviceId: "dev_1", kind: "state", unit: undefined });
    expect((await ofOther.gaps(0, Number.MAX_SAFE_INTEGER)).map(({ reason }) => reason)).not.toContain("not_recorded");
  });

  it("does not keep an agent from starting, which tries it once more", async () => {
    using disk = new Disk();
    const refusing = refuseValue("666");
    const state = await hub(disk);
    await disk.report(state, level(666));
    await state[Symbol.asyncDispose]();
    const again = await hub(disk);
    expect(again.status().notRecorded).toBe(1);
    expect(await write(disk, again, 5, "cmd_1")).toMatchObject({ outcome: "confirmed" });
    await again[Symbol.asyncDispose]();
    refusing.mockRestore();
    const last = await hub(disk);
    expect(last.status().notRecorded).toBe(0);
  });

  it("leaves whole what was written of the hour before it", async () => {
    using disk = new Disk();
    vi.spyOn(SeriesRows.prototype, "addStep").mockImplementation(function (this: SeriesRows, series, step, bucket) {
      if (bucket.max === 3 && step === "hours") throw refuse();
      addStep.call(this, series, step, bucket);
    });
    const state = await hub(disk);
    for (const value of [1, 2, 3]) {
      await disk.report(state, level(value));
      await disk.clock.advance(10 * MINUTE);
    }
    await disk.clock.advance(HOUR);
    await disk.report(state, level(4));
    await disk.report(state, on(true));
    expect(state.status().notRecorded).toBe(1);
    expect(await values(state)).toEqual([1, 2, 3]);
    expect(state.value(LEVEL)?.value).toBe(4);
  });
});
