/** Recording, on either store: nothing lost, nothing twice, and a gap wherever something is not known. */
import { knownTime, merged, type STEPS } from "@porchlight/shared/history";
import { randomInteger, seededRandom } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { rounds } from "../../../test/parts/rounds.ts";
import { gapsOf, intervalOf } from "./gaps.ts";
import { changeEvent, DAY, DEV, ECO, HistoryWorld, HOUR, HUB, MINUTE, SECOND } from "./history.fixture.ts";
import { type Series, seriesOf } from "./series-rows.ts";
import { bucketsIn, pointsIn } from "./value-rows.ts";

let world: HistoryWorld;
beforeEach(async () => {
  world = await HistoryWorld.start();
});
afterEach(() => world[Symbol.asyncDispose]());

const EVER = { from: 0, to: Number.MAX_SAFE_INTEGER };
const sql = () => world.store.of(ECO).sql;
async function series(property = "celsius", deviceId = DEV): Promise<Series> {
  const found = (await seriesOf(sql(), ECO, [deviceId])).find((each) => each.property === property);
  if (!found) throw new Error(`nothing is recorded of ${property}`);
  return found;
}
const points = async (of?: Series) =>
  (await pointsIn(sql(), { series: (of ?? (await series())).series, ...EVER }, undefined, 100_000)).map(
    ({ at, value }) => [at, JSON.parse(value)] as const,
  );
const steps = async (step: keyof typeof STEPS, of?: Series) =>
  bucketsIn(sql(), step, { series: (of ?? (await series())).series, ...EVER });
const gaps = async (...ids: string[]) =>
  (await gapsOf(sql(), ECO, ids.length > 0 ? ids : [DEV, HUB, ECO], 0)).map(
    ({ subjectId, since, until }) => [subjectId, since, until] as const,
  );
const pass = (ms: number) => world.clock.advance(ms);

describe("a property", () => {
  it("is recorded with each change, and with the statistics of the steps that are over", async () => {
    const begin = world.clock.now() - (world.clock.now() % HOUR) + HOUR;
    await pass(begin - world.clock.now());
    for (const celsius of [20, 21, 23]) {
      await world.changed(celsius);
      await pass(20 * MINUTE);
    }
    await world.changed(8);
    await world.recorded();
    expect(await points()).toEqual([
      [begin, 20],
      [begin + 20 * MINUTE, 21],
      [begin + 40 * MINUTE, 23],
      [begin + 60 * MINUTE, 8],
    ]);
    const [hour, ...others] = await steps("hours");
    expect(others).toEqual([]);
    expect(hour).toMatchObject({ start: begin, count: 3, knownMs: HOUR, min: 20, max: 23, last: "23" });
    expect((hour?.area ?? 0) / HOUR).toBeCloseTo((20 + 21 + 23) / 3, 9);
    // Of five minutes, those in which something changed.
    expect((await steps("fiveMinutes")).map(({ start }) => start - begin)).toEqual([0, 20 * MINUTE, 40 * MINUTE]);
  });

  it("of a meter has its growth, and the time when it restarted", async () => {
    for (const energy of [100, 103, 1]) await world.changed(energy, world.clock.now(), "Electricity:0.energy");
    await world.recorded();
    expect((await series("energy")).state.open.hours).toMatchObject({ growth: 4, resets: 1 });
    expect(await series("energy")).toMatchObject({ kind: "total", unit: "kWh" });
  });

  it("that only reports happenings has them counted, and holds nothing", async () => {
    for (const press of ["press", "press", "double"]) await world.changed(press, world.clock.now(), "Sensor:0.event");
    await world.recorded();
    const { kind, state } = await series("event");
    expect(kind).toBe("event");
    expect(state.open.hours).toMatchObject({ count: 3, knownMs: 0, states: { '"press"': 2, '"double"': 1 } });
  });

  it("that is not described, or whose device is not there, is passed over", async () => {
    await world.changed(1, world.clock.now(), "Sensor:0.celsius", "dev_other");
    await world.changed(20);
    await world.recorded();
    expect(await seriesOf(sql(), ECO, ["dev_other"])).toEqual([]);
    expect(await points()).toHaveLength(1);
  });

  it("that changed while its hub was offline has the time of the change, not that of the report", async () => {
    const begin = world.clock.now() - (world.clock.now() % SECOND);
    await world.changed(20);
    await pass(HOUR);
    await world.changed(21, begin + 10 * MINUTE);
    await world.recorded();
    expect((await points()).map(([at]) => at)).toEqual([begin, begin + 10 * MINUTE]);
  });
});

describe("a time in which nothing is known", () => {
  it("is that of a device that its hub cannot reach", async () => {
    await world.changed(20);
    const away = world.clock.now() - (world.clock.now() % SECOND);
    await world.presence("device.offline", DEV, away);
    await pass(10 * MINUTE);
    const back = world.clock.now() - (world.clock.now() % SECOND);
    await world.presence("device.online", DEV, back);
    await world.recorded();
    expect(await gaps()).toEqual([[DEV, away, back]]);
    await pass(5 * MINUTE);
    await world.changed(21);
    await pass(2 * HOUR);
    await world.changed(22);
    await world.recorded();
    const known = (await steps("hours")).reduce((sum, { knownMs }) => sum + knownMs, 0);
    const last = (await series()).state.open.hours.knownMs;
    const first = (await points())[0]?.[0] ?? 0;
    const until = (await series()).state.at;
    // The steps that are kept, of the time up to the last change: without the ten minutes.
    const kept = await steps("hours");
    const covered = kept.reduce(
      (sum, { start }) => sum + Math.min(HOUR, until - Math.max(start, first), start + HOUR - first),
      0,
    );
    expect(known).toBe(covered - 10 * MINUTE);
    expect(last).toBe(until % HOUR);
  });

  it("is none of a hub that was only cut off: it has watched its devices all the time", async () => {
    await world.changed(20);
    await world.presence("hub.offline", HUB);
    await world.recorded();
    expect(await gaps()).toEqual([[HUB, expect.any(Number), null]]);
    await pass(HOUR);
    await world.presence("hub.online", HUB);
    await world.recorded();
    expect(await gaps()).toEqual([]);
  });

  it("is that of a hub whose agent restarted, from its last message", async () => {
    const at = world.clock.now() - (world.clock.now() % SECOND);
    await pass(30 * SECOND);
    await world.presence("hub.offline", HUB, at + 20 * SECOND, at + 10 * SECOND);
    await pass(HOUR);
    const back = world.clock.now() - (world.clock.now() % SECOND);
    await world.presence("hub.restarted", HUB, back, at + 10 * SECOND);
    await world.presence("hub.online", HUB, back);
    await world.recorded();
    expect(await gaps()).toEqual([[HUB, at + 10 * SECOND, back]]);
  });

  it("is that of a hub that was started again and back before anybody missed it", async () => {
    const back = world.clock.now() - (world.clock.now() % SECOND);
    await world.presence("hub.restarted", HUB, back, back - 4 * SECOND);
    await world.recorded();
    expect(await gaps()).toEqual([[HUB, back - 4 * SECOND, back]]);
  });

  it("is that of events which were deleted before they were recorded; the value that stands then is recorded", async () => {
    await world.changed(20);
    await world.recorded();
    const lostSince = world.clock.now();
    world.first.chosen = false;
    await pass(MINUTE);
    for (const celsius of [21, 22]) await world.changed(celsius);
    const changedAt = world.clock.now();
    await world.stored(22, changedAt);
    await pass(MINUTE);
    await world.changed(true, world.clock.now(), "Sensor:0.on");
    await world.store.writeService((tx) => tx.change(tx.build.deleteFrom("events").where("sequence", "in", [2, 3])));
    const until = world.clock.now();
    world.first.chosen = true;
    await world.recorded();
    expect(await gaps()).toEqual([[ECO, lostSince, until]]);
    expect((await points()).map(([, value]) => value)).toEqual([20, 22]);
    expect(await points(await series("on"))).toHaveLength(1);
  });

  it("is that in which its owner did not want it recorded", async () => {
    await world.changed(20);
    await world.recorded();
    await world.history.choose(ECO, { enabled: false });
    await pass(MINUTE);
    await world.changed(21);
    const off = world.clock.now();
    await world.recorded();
    await pass(MINUTE);
    await world.changed(22);
    await world.stored(22, world.clock.now());
    await world.recorded();
    expect((await points()).map(([, value]) => value)).toEqual([20]);
    await world.history.choose(ECO, { enabled: true });
    await pass(MINUTE);
    await world.changed(23);
    await world.recorded();
    expect(await gaps()).toEqual([[ECO, off, world.clock.now()]]);
    expect((await points()).map(([, value]) => value)).toEqual([20, 22, 23]);
  });
});

describe("a service that is new to history", () => {
  it("records what is left of the log, and before it the values that have not changed since", async () => {
    const longAgo = world.clock.now() - 3 * DAY;
    await world.stored(true, longAgo - (longAgo % SECOND), "on");
    for (const celsius of [20, 21]) await world.changed(celsius);
    await world.store.writeService((tx) => tx.change(tx.build.deleteFrom("events").where("sequence", "=", 1)));
    await world.recorded();
    expect((await points()).map(([, value]) => value)).toEqual([21]);
    expect(await points(await series("on"))).toEqual([[longAgo - (longAgo % SECOND), true]]);
    expect(await gaps()).toEqual([]);
  });
});

describe("each event", () => {
  it("counts once, whichever of several nodes records it, and when one dies in the middle", async () => {
    const times = rounds(3, 60);
    for (let seed = 1; seed <= times; seed++) {
      await world[Symbol.asyncDispose]();
      world = await HistoryWorld.start();
      const random = seededRandom(seed);
      const expected: (readonly [number, unknown])[] = [];
      await world.node();
      await world.device("dev_2", null);
      for (let round = 0; round < 12; round++) {
        const count = randomInteger(random, 40);
        const now = world.clock.now() - (world.clock.now() % SECOND);
        const changes = Array.from({ length: count }, (_none, each) => {
          return [now + each * SECOND, randomInteger(random, 1000) / 4] as const;
        });
        await pass(count * SECOND);
        await world.write(async (tx) => {
          for (const [at, value] of changes) tx.append(changeEvent(value, at, "Sensor:0.celsius", DEV));
        });
        expected.push(...changes);
        const work = world.nodes.map(({ history }) => history.catchUp());
        const dies = randomInteger(random, 2) === 0;
        if (dies) await world.replaceLast();
        await Promise.allSettled(dies ? work.slice(0, -1) : work);
      }
      await world.recorded();
      expect(await points(), `seed ${seed}`).toEqual(expected);
      const recorded = await steps("hours");
      const open = (await series()).state.open.hours;
      const count = [...recorded, open].reduce((sum, step) => sum + step.count, 0);
      expect(count, `seed ${seed}`).toBe(expected.length);
      expect(recorded.every(({ knownMs, start }) => knownMs === HOUR || start <= (expected[0]?.[0] ?? 0))).toBe(true);
    }
  });

  it("has its turn, however much happens in another ecosystem", async () => {
    const { store, history } = world;
    const many = 25 * 500;
    await world.write(async (tx) => {
      for (let each = 0; each < many; each++) tx.append({ type: "other", environmentId: "env_1", data: {} });
    });
    await store.write("eco_2", async (tx) => tx.append({ type: "other", data: {} }));
    const done = history.catchUp();
    while ((await history.recordedUpTo("eco_2")) === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(await history.recordedUpTo(ECO)).toBe(20 * 500);
    await done;
    expect(await history.recordedUpTo(ECO)).toBe(many);
  });

  it("is kept in the log until it is recorded", async () => {
    expect(await world.history.recordedUpTo(ECO)).toBe(0);
    await world.changed(1);
    await world.changed(2);
    await world.recorded();
    expect(await world.history.recordedUpTo(ECO)).toBe(2);
  });
});

describe("what is kept", () => {
  it("goes when it is older than its ecosystem wants, change by change and step by step", async () => {
    await world.history.choose(ECO, { rawDays: 2, statisticsDays: 5 });
    for (let day = 0; day < 8; day++) {
      await world.changed(day);
      await world.recorded();
      world.clock.jumpWall(DAY);
    }
    await world.history.sweep();
    const now = world.clock.now();
    expect((await points()).map(([, value]) => value)).toEqual([6, 7]);
    expect((await steps("hours")).every(({ start }) => start >= now - 5 * DAY)).toBe(true);
    expect((await steps("fiveMinutes")).length).toBe((await steps("hours")).length);
    expect((await series()).state.value).toBe("7");
  });

  it("omits a change that is already too old when it is reported", async () => {
    await world.changed(1, world.clock.now() - 11 * DAY);
    await world.changed(2);
    await world.recorded();
    expect((await points()).map(([, value]) => value)).toEqual([2]);
    expect((await steps("hours")).map(({ last }) => last)).toEqual(["1"]);
  });

  it("of a device goes with it", async () => {
    await world.device("dev_2");
    await world.changed(1);
    await world.changed(2, world.clock.now(), "Sensor:0.celsius", "dev_2");
    await world.recorded();
    const gone = await series("celsius", "dev_2");
    await world.write(async (tx) => tx.append({ type: "device.removed", data: { id: "dev_2" } }));
    await world.recorded();
    expect(await seriesOf(sql(), ECO, ["dev_2"])).toEqual([]);
    await world.history.sweep();
    expect(await points(gone)).toEqual([]);
    expect(await points()).toHaveLength(1);
    // It may be announced again.
    await world.changed(3, world.clock.now(), "Sensor:0.celsius", "dev_2");
    await world.recorded();
    expect(await points(await series("celsius", "dev_2"))).toHaveLength(1);
  });
});

it("the gaps of random absences are those times, and nothing else", async () => {
  const random = seededRandom(5);
  const away: { from: number; until: number }[] = [];
  for (let each = 0; each < 40; each++) {
    await pass(randomInteger(random, 100) * SECOND);
    const from = world.clock.now() - (world.clock.now() % SECOND);
    await world.presence("device.offline", DEV, from);
    await pass(randomInteger(random, 100) * SECOND);
    const until = world.clock.now() - (world.clock.now() % SECOND);
    await world.presence("device.online", DEV, until);
    away.push({ from, until });
    if (randomInteger(random, 3) === 0) await world.recorded();
  }
  await world.recorded();
  const recorded = merged((await gapsOf(sql(), ECO, [DEV], 0)).map(intervalOf));
  const end = world.clock.now();
  expect(knownTime(0, end, recorded)).toBe(knownTime(0, end, merged(away)));
});
