/** History of numbers whose sums overflow, and of records that cannot be stored, on either store: each stops only itself. */
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { poison } from "../store/poison.fixture.ts";
import { gapsOf } from "./gaps.ts";
import { changeEvent, DEV, ECO, HistoryWorld, HOUR, MINUTE, SECOND } from "./history.fixture.ts";
import { type Series, seriesOf } from "./series-rows.ts";
import { SeriesSource } from "./series-source.ts";
import { bucketsIn, pointsIn } from "./value-rows.ts";

const EVER = { from: 0, to: Number.MAX_SAFE_INTEGER };
const CELSIUS = `${DEV} Sensor:0.celsius`;
const BAD = 666;

let world: HistoryWorld;
beforeEach(async () => {
  world = await HistoryWorld.start();
});
afterEach(() => world[Symbol.asyncDispose]());

const reader = () => world.store.of(ECO).sql;
async function series(property = "celsius"): Promise<Series> {
  const found = (await seriesOf(reader(), ECO, [DEV])).find((each) => each.property === property);
  if (!found) throw new Error(`nothing is recorded of ${property}`);
  return found;
}
const values = async (property?: string) =>
  (await pointsIn(reader(), { series: (await series(property)).series, ...EVER }, undefined, 1_000)).map(
    ({ value }) => JSON.parse(value) as unknown,
  );
const gaps = async () =>
  (await gapsOf(reader(), ECO, [CELSIUS, DEV, ECO], 0)).map(({ subjectId, since, until }) => [subjectId, since, until]);
const pass = (ms: number) => world.clock.advance(ms);

/** To the beginning of an hour, so that all that follows is in one step. */
async function beginHour(): Promise<void> {
  await pass(HOUR - (world.clock.now() % HOUR));
}

describe("numbers whose sum is larger than a number can be", () => {
  it("are recorded, in a step that has no sum, and all that comes behind them is recorded too", async () => {
    await beginHour();
    for (const celsius of [1.79e308, -1.79e308, 20]) {
      await world.changed(celsius);
      await pass(2 * SECOND);
      await world.recorded();
    }
    expect((await series()).state.open.hours).toMatchObject({ area: null, count: 3, min: -1.79e308, max: 1.79e308 });
    await pass(HOUR);
    await world.changed(21);
    await world.changed(5, world.clock.now(), "Electricity:0.energy");
    await world.recorded();
    expect(await values()).toEqual([1.79e308, -1.79e308, 20, 21]);
    expect(await values("energy")).toEqual([5]);
    for (const step of ["fiveMinutes", "hours"] as const) {
      const [first] = await bucketsIn(reader(), step, { series: (await series()).series, ...EVER });
      expect(first, step).toMatchObject({ area: null, count: 3, last: "20" });
    }
    expect([world.history.lag, [...world.store.setAside.counts], world.errors]).toEqual([0, [], []]);
  });
});

describe("a change that the store refuses", () => {
  const refused = () =>
    poison(world.store, "history_points", "insert", sql<boolean>`new.value = ${sql.lit(String(BAD))}`);

  it("is left out, counted, logged and a gap of its property; what is around it in the log is recorded", async () => {
    await using _poisoned = await refused();
    const begin = world.clock.now();
    await world.write(async (tx) => {
      for (let each = 0; each < 20; each++) tx.append(changeEvent(each, begin, "Electricity:0.energy", DEV));
      tx.append(changeEvent(20, begin, "Sensor:0.celsius", DEV));
      tx.append(changeEvent(BAD, begin + SECOND, "Sensor:0.celsius", DEV));
      for (let each = 20; each < 40; each++) tx.append(changeEvent(each, begin, "Electricity:0.energy", DEV));
    });
    await world.recorded();
    expect(await values()).toEqual([20]);
    expect(await values("energy")).toEqual(Array.from({ length: 40 }, (_, at) => at));
    expect(await gaps()).toEqual([[CELSIUS, begin, null]]);
    expect([...world.store.setAside.counts]).toEqual([["history", 1]]);
    expect(world.errors).toEqual(["a record could not be processed and was set aside"]);
    expect(world.store.setAside.warning).toContain("(history)");
    await world.history.measure();
    expect(world.history.lag).toBe(0);
  });

  it("is unknown until the next change of the property, and readers see it as unknown", async () => {
    await using _poisoned = await refused();
    await beginHour();
    const begin = world.clock.now();
    await world.changed(20);
    await pass(MINUTE);
    await world.changed(BAD);
    await pass(MINUTE);
    await world.changed(30);
    await pass(MINUTE);
    await world.recorded();
    expect(await gaps()).toEqual([[CELSIUS, begin + MINUTE, begin + 2 * MINUTE]]);
    expect((await series()).state.open.hours).toMatchObject({ knownMs: MINUTE, min: 20, max: 30 });
    const address = { deviceId: DEV, service: "Sensor", index: "0", property: "celsius" };
    const about = { ...address, kind: "number", unit: undefined, clientId: undefined } as const;
    const source = new SeriesSource({ sql: reader(), eco: ECO, about, series: await series() });
    expect(await source.gaps(0, world.clock.now())).toEqual([
      { from: begin + MINUTE, until: begin + 2 * MINUTE, reason: "not_recorded" },
    ]);
  });
});

describe("an event that cannot be read", () => {
  it("is passed over alone", async () => {
    await world.changed(20);
    await world.changed(21);
    await world.changed(22);
    await world.write(async (tx) => {
      const events = tx.build.updateTable("events").set({ data: "{" }).where("sequence", "=", 2);
      await tx.change(events);
    });
    await world.recorded();
    expect(await values()).toEqual([20, 22]);
    expect([...world.store.setAside.counts]).toEqual([["history", 1]]);
  });
});

describe("a standing value that the store refuses", () => {
  it("is a gap of its property when recording goes on, and the other values are recorded", async () => {
    await using _poisoned = await poison(
      world.store,
      "history_points",
      "insert",
      sql<boolean>`new.value = ${sql.lit(String(BAD))}`,
    );
    const begin = world.clock.now();
    await world.stored(BAD, begin - MINUTE);
    await world.stored(true, begin - MINUTE, "on");
    await world.history.choose(ECO, { enabled: false });
    await world.changed(1, begin, "Electricity:0.energy");
    await world.recorded();
    await world.history.choose(ECO, { enabled: true });
    await pass(MINUTE);
    await world.changed(2, world.clock.now(), "Electricity:0.energy");
    await world.recorded();
    expect(await values("on")).toEqual([true]);
    expect(await values("energy")).toEqual([2]);
    expect((await gaps()).map(([subject]) => subject)).toContain(CELSIUS);
  });
});

describe("recording that stands still", () => {
  it("is a warning and an error in the log after five minutes, and reports its age", async () => {
    await world.changed(20);
    world.first.chosen = false;
    await pass(4 * MINUTE);
    world.first.chosen = true;
    await world.history.measure();
    expect([world.history.warning, world.errors]).toEqual([undefined, []]);
    world.first.chosen = false;
    await pass(3 * MINUTE);
    world.first.chosen = true;
    await world.history.measure();
    expect(world.history.warning).toBe("The recording of history is 7 minutes behind.");
    expect(Math.round(world.history.lagMs / MINUTE)).toBe(7);
    expect(world.errors).toEqual(["the recording of history is minutes behind"]);
    await world.recorded();
    await world.history.measure();
    expect([world.history.warning, world.history.lagMs]).toEqual([undefined, 0]);
  });
});
