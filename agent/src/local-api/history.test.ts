/** What properties were, asked at home: held against what is added up, second by second, from the changes that were made. */
import type { HistoryPage, HistoryPoint } from "@porchlight/shared/api";
import { formatTime, parseTime, type Random, seededRandom } from "@porchlight/shared/kernel";
import { UNKNOWN_TIME } from "@porchlight/shared/model";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { rounds } from "../../../test/parts/rounds.ts";
import { BUTTON, device, LAMP, level, on, pressed } from "../state/state.fixture.ts";
import { AtHome, ENVIRONMENT, LAMP_ID } from "./at-home.fixture.ts";

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;
const OF_DEVICE = "/api/devices/:id/services/:selector/history";
const OF_HOME = "/api/environments/:id/services/:selector/history";

let home: AtHome;
beforeEach(async () => {
  home = await AtHome.make();
});
afterEach(() => home[Symbol.dispose]());

async function history(selector: string, query: Record<string, string> = {}, path = OF_DEVICE): Promise<HistoryPage> {
  const { slices = [] } = await home.call("GET", path, {
    selector,
    query,
    ...(path === OF_HOME && { id: ENVIRONMENT }),
  });
  return JSON.parse([...slices].join("")) as HistoryPage;
}

async function oneSeries(selector: string, query: Record<string, string> = {}) {
  const { items, range } = await history(selector, query);
  const [series] = items;
  if (!series || items.length !== 1) throw new Error("not one series");
  return { ...series, range };
}

/** The whole in another form. */
async function textOf(selector: string, accept: string): Promise<string> {
  const { stream } = await home.call("GET", OF_DEVICE, { selector, headers: { accept } });
  let all = "";
  for await (const part of stream ?? []) all += part;
  return all;
}

const report = (observed: Parameters<typeof home.disk.report>[1]) => home.disk.report(home.state, observed);
const now = () => formatTime(home.clock.now());
const time = (text: string) => parseTime(text) ?? Number.NaN;

describe("changes", () => {
  it("are listed once each, with the value that held before; an equal value is none", async () => {
    await report(level(5));
    await home.clock.advance(DAY + MINUTE);
    for (const value of [7, 7, 8]) {
      await report(level(value));
      await home.clock.advance(2 * MINUTE);
    }
    const { points, before, kind, deviceId, gaps } = await oneSeries("LightLevel.level");
    expect(points.map(({ value }) => value)).toEqual([7, 8]);
    expect([before?.value, kind, deviceId, gaps]).toEqual([5, "number", LAMP_ID, undefined]);
  });

  it("of a property that can only notify are all its reports", async () => {
    for (let each = 0; each < 3; each++) await report(pressed());
    const { points, before, kind } = await oneSeries("Button");
    expect([points.map(({ value }) => value), before, kind]).toEqual([["press", "press", "press"], undefined, "event"]);
  });

  it("made from home and by the cloud are listed like any other", async () => {
    const setting = home.set(30);
    await home.clock.advance(200);
    await setting;
    await home.disk.done(home.state.begin({ id: "cmd_1", ...level(40) }));
    await home.disk.done(
      home.state.end({
        command: "cmd_1",
        ...level(40),
        requested: 40,
        outcome: "confirmed",
        observedAt: home.clock.now(),
      }),
    );
    expect((await oneSeries("LightLevel.level")).points.map(({ value }) => value)).toEqual([30, 40]);
  });

  it("go on after a crash, with a gap until the device is back", async () => {
    await report(level(5));
    await home.clock.advance(30 * MINUTE);
    await report(level(6));
    const crashed = now();
    home.crash();
    await home.clock.advance(10 * MINUTE);
    await home.disk.done(home.state.arrive(device()));
    const back = now();
    await report(level(6));
    await home.clock.advance(20 * MINUTE);
    const { points, gaps = [] } = await oneSeries("LightLevel.level", { resolution: "1h" });
    expect(gaps.map(({ until }) => until)).toEqual([back]);
    expect(time(crashed) - time(gaps[0]?.from ?? "")).toBeLessThanOrEqual(MINUTE);
    expect(points.reduce((sum, { knownSeconds = 0 }) => sum + knownSeconds, 0)).toBeCloseTo(50 * 60, 0);
  });

  it("have gaps while the device is off its link, one that lasts without an end", async () => {
    await report(on(true));
    await home.clock.advance(10 * MINUTE);
    await home.disk.done(home.state.leave(LAMP));
    const left = now();
    await home.clock.advance(10 * MINUTE);
    expect((await oneSeries("Switch")).gaps).toEqual([{ from: left, reason: "device_offline" }]);
    await home.disk.done(home.state.arrive(device()));
    const back = now();
    expect((await oneSeries("Switch")).gaps).toEqual([{ from: left, until: back, reason: "device_offline" }]);
    const [, , gap] = (await textOf("Switch", "text/csv")).split("\r\n");
    expect(gap).toBe(`${LAMP_ID},Switch,0,on,,${left},,${back},device_offline`);
    const [, line = ""] = (await textOf("Switch", "application/x-ndjson")).split("\n");
    expect(JSON.parse(line)).toMatchObject({ at: left, value: null, gapUntil: back, gapReason: "device_offline" });
  });

  it("of a transaction that the disk refused never were", async () => {
    await report(level(5));
    home.refuseCommits = 2;
    await report(level(6)).catch(() => undefined);
    await report(level(7));
    const { points } = await oneSeries("LightLevel.level", { resolution: "1h" });
    expect(points).toMatchObject([{ min: 5, max: 7, count: 2 }]);
  });
});

describe("a clock that is wrong", () => {
  it("records nothing before it is set, and then what there is", async () => {
    await report(level(5));
    await home.clock.advance(MINUTE);
    home.state.learnTime(home.clock.now(), home.clock.monotonic());
    await home.clock.advance(2 * HOUR);
    await home.disk.done(home.state.resync());
    const known = home.clock.now();
    home.clock.jumpWall(-known);
    home.crash();
    await home.disk.done(home.state.arrive(device()));
    await report(level(6));
    await home.clock.advance(HOUR);
    home.state.learnTime(known + HOUR + MINUTE, home.clock.monotonic());
    await home.clock.advance(2 * MINUTE);
    await report(level(7));
    const { points, gaps } = await oneSeries("LightLevel.level", { resolution: "raw" });
    expect(points.map(({ value }) => value)).toEqual([5, 6, 7]);
    expect(time(points[1]?.at ?? "")).toBeGreaterThanOrEqual(known + HOUR);
    expect(gaps).toHaveLength(1);
  });

  it("that was years ahead leaves nothing of those years", async () => {
    await report(level(5));
    home.clock.jumpWall(3650 * DAY);
    await report(level(6));
    await home.disk.done(home.state.leave(LAMP));
    home.crash();
    await home.disk.done(home.state.arrive(device()));
    await home.clock.advance(MINUTE);
    home.clock.jumpWall(-3650 * DAY);
    await report(level(7));
    await home.clock.advance(10 * MINUTE);
    const { points, gaps = [] } = await oneSeries("LightLevel.level");
    expect(points.map(({ value }) => value)).toEqual([5, 7]);
    for (const { until } of gaps) expect(time(until ?? "")).toBeLessThanOrEqual(home.clock.now());
    const [step] = (await oneSeries("LightLevel.level", { resolution: "1h" })).points;
    expect(step).toMatchObject({ last: 7 });
  });

  it("that goes back a little counts from the change before", async () => {
    await report(level(5));
    const first = now();
    home.clock.jumpWall(-5 * MINUTE);
    await report(level(6));
    await home.clock.advance(10 * MINUTE);
    expect((await oneSeries("LightLevel.level")).points).toEqual([
      { at: first, value: 5 },
      { at: first, value: 6 },
    ]);
  });
});

describe("what is kept", () => {
  it("goes after ten days, but for the last change before", async () => {
    home.state.learnTime(home.clock.now(), home.clock.monotonic());
    for (let day = 0; day < 12; day++) {
      await report(level(day));
      await home.clock.advance(DAY);
    }
    await home.clock.advance(2 * HOUR);
    const all = { from: formatTime(home.clock.now() - 30 * DAY) };
    const { points } = await oneSeries("LightLevel.level", { ...all, resolution: "raw" });
    expect(points.map(({ value }) => value)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    const days = (await oneSeries("LightLevel.level", { ...all, resolution: "1d" })).points;
    expect(days.map(({ last }) => last)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 11]);
  });

  it("is bounded in rows: the oldest go first", async () => {
    home.mostChanges = 100;
    home.crash();
    await home.disk.done(home.state.arrive(device()));
    for (let each = 0; each < 240; each++) {
      await report(level(each));
      await home.clock.advance(HOUR / 2);
    }
    await home.clock.advance(HOUR);
    const { points } = await oneSeries("LightLevel.level", {
      from: formatTime(home.clock.now() - 9 * DAY),
      resolution: "raw",
    });
    expect(points.length).toBeLessThanOrEqual(101);
    expect(points.length).toBeGreaterThan(80);
    expect(points.at(-1)?.value).toBe(239);
  });
});

describe("an answer", () => {
  it("for the whole home has a series for each property of each device, also of one without a report", async () => {
    await home.disk.done(home.state.arrive(device(BUTTON)));
    await home.name("dev_01kad2vqz0fv8t7vqh5v8q5x5s", "other", BUTTON);
    await report(level(5));
    const { items } = await history("LightLevel", {}, OF_HOME);
    expect(items.map(({ points }) => points.length)).toEqual([1, 0]);
  });

  it("of many points comes in pages, whose token is good for this question only", async () => {
    for (let each = 0; each < 25; each++) await report(pressed(`press ${each}`));
    const answered: unknown[] = [];
    let query: Record<string, string> = { pageSize: "10" };
    for (let page = 0; page < 3; page++) {
      const { items, continuationToken } = await history("Button", query);
      answered.push(...items.flatMap(({ points }) => points.map(({ value }) => value)));
      expect(continuationToken === undefined).toBe(page === 2);
      if (continuationToken) query = { pageSize: "10", continuationToken };
    }
    expect(answered).toEqual(Array.from({ length: 25 }, (_, each) => `press ${each}`));
    await expect(history("Switch", query)).rejects.toThrow(
      expect.objectContaining({ name: "Continuation Token Invalid" }),
    );
  });

  it("is not sent again to who has it", async () => {
    await report(level(5));
    const query = { to: now() };
    const ask = (tag: string) =>
      home.call("GET", OF_DEVICE, { selector: "LightLevel", query, headers: { "if-none-match": tag } });
    const { etag = "" } = (await ask("")).headers ?? {};
    expect((await ask(etag)).status).toBe(304);
    expect((await ask('"other"')).status).toBe(200);
  });

  it("is streamed as CSV and NDJSON when it is asked for so", async () => {
    await report(level(5));
    const at = now();
    const typeOf = async (accept: string) =>
      (await home.call("GET", OF_DEVICE, { selector: "LightLevel", headers: { accept } })).headers?.["content-type"];
    expect(await typeOf("text/csv")).toBe("text/csv; charset=utf-8");
    expect(await textOf("LightLevel", "text/csv")).toBe(
      `deviceId,service,index,property,unit,at,value,gapUntil,gapReason\r\n${LAMP_ID},LightLevel,0,level,,${at},5,,\r\n`,
    );
    expect(await typeOf("application/x-ndjson")).toBe("application/x-ndjson");
    expect(JSON.parse(await textOf("LightLevel", "application/x-ndjson"))).toEqual({
      deviceId: LAMP_ID,
      service: "LightLevel",
      index: "0",
      property: "level",
      at,
      value: 5,
    });
  });

  it.each([
    ["Nothing", {}, "Service Not Found"],
    ["LightLevel.hue", {}, "Service Property Invalid"],
    ["LightLevel", { from: "x" }, "Query Parameter Invalid"],
    ["LightLevel", { pageSize: "0" }, "Page Size Invalid"],
    ["LightLevel", { continuationToken: "x" }, "Continuation Token Invalid"],
  ])("to %s with %j is an error by its name", async (selector, query, name) => {
    await expect(history(selector, query)).rejects.toThrow(expect.objectContaining({ name }));
  });

  it("takes a value of unknown age from when it was learned", async () => {
    await home.disk.done(home.state.learnRetained(level(9)));
    expect(home.state.value(level(9))?.observedAt).toBe(UNKNOWN_TIME);
    expect((await oneSeries("LightLevel.level")).points).toEqual([{ at: now(), value: 9 }]);
  });
});

/** What the changes and gaps of a raw answer say of each second of a time: nothing else is asked. */
function eachSecond(raw: Awaited<ReturnType<typeof oneSeries>>) {
  const gaps = (raw.gaps ?? []).map(({ from, until }) => [time(from), until ? time(until) : Number.POSITIVE_INFINITY]);
  const begin = time(raw.range.from);
  const held: unknown[] = [];
  const changed: unknown[][] = [];
  let value: unknown = raw.before?.value ?? null;
  for (let at = begin, next = 0; at < time(raw.range.to); at += 1000) {
    const changes: unknown[] = [];
    for (; next < raw.points.length && time(raw.points[next]?.at ?? "") <= at; next++) {
      value = raw.points[next]?.value ?? null;
      changes.push(value);
    }
    changed.push(changes);
    held.push(gaps.some(([from = 0, until = 0]) => from <= at && at < until) ? null : value);
  }
  /** What was known, and what changed, in a time. */
  return (from: number, to: number) => {
    const [first, last] = [(from - begin) / 1000, (to - begin) / 1000];
    const values = held.slice(Math.max(0, first), last).filter((each) => each !== null);
    return { values, changes: changed.slice(Math.max(0, first), last).flat() };
  };
}

type Truth = ReturnType<ReturnType<typeof eachSecond>>;

function expectStep(kind: string, point: HistoryPoint, { values, changes }: Truth, where: string) {
  expect([point.count, point.knownSeconds], where).toEqual([changes.length, values.length]);
  if (kind === "number") {
    const numbers = [...values, ...changes].filter((value) => value !== null).map(Number);
    if (numbers.length > 0) expect([point.min, point.max], where).toEqual([Math.min(...numbers), Math.max(...numbers)]);
    const mean = values.reduce<number>((sum, value) => sum + Number(value), 0) / values.length;
    if (values.length > 0) expect(point.mean, where).toBeCloseTo(mean, 6);
  } else {
    const seconds = new Map(values.map((value) => [value, values.filter((other) => other === value).length]));
    expect(new Map(point.states?.map((state) => [state.value, state.seconds])), where).toEqual(seconds);
  }
}

/** Whole seconds, in which the answers are written, and nothing that waits for others. */
async function wholeSeconds(seconds: number): Promise<void> {
  await home.clock.advance(1000 - (home.clock.now() % 1000) + 1000 * seconds);
}

/** Something that happens in a home; gives whether the lamp is there then. */
async function happen(random: Random, isThere: boolean): Promise<boolean> {
  const whole = (most: number) => Math.floor(random.fraction() * most);
  const what = random.fraction();
  const name = { node: LAMP, boot: 1, seq: whole(1e9) };
  if (what < 0.35) await home.state.report(random.fraction() < 0.1 ? level(null) : level(whole(40) / 4), name);
  else if (what < 0.65) await home.state.report(on(random.fraction() < 0.5), name);
  else if (what < 0.75) {
    await (isThere ? home.state.leave(LAMP) : home.state.arrive(device()));
    return !isThere;
  } else if (what < 0.8) home.crash();
  else if (what < 0.85) await home.restart();
  else if (isThere) await home.state.arrive(device());
  return isThere;
}

describe("the steps of an answer", () => {
  it("are those that a second implementation adds up from the raw answer, over restarts, crashes and absences", async () => {
    for (let seed = 1; seed <= rounds(2, 60); seed++) {
      home[Symbol.dispose]();
      home = await AtHome.make();
      home.groupMs = 0;
      home.crash();
      const random = seededRandom(seed);
      let isThere = true;
      for (let each = 0; each < 80; each++) {
        await wholeSeconds(Math.floor(random.fraction() * (random.fraction() < 0.5 ? 60 : 2500)));
        isThere = await happen(random, isThere);
      }
      await wholeSeconds(100);
      const from = formatTime(home.clock.now() - 2 * DAY);
      for (const selector of ["LightLevel.level", "Switch.on"]) {
        const truthOf = eachSecond(await oneSeries(selector, { from, resolution: "raw" }));
        for (const [resolution, length] of [
          ["5m", 5 * MINUTE],
          ["1h", HOUR],
        ] as const) {
          const { points, kind, range } = await oneSeries(selector, { from, resolution });
          expect(points.length).toBeGreaterThan(5);
          const answered = new Map(points.map((point) => [point.at, point]));
          for (let start = time(range.from); start < time(range.to); start += length) {
            const truth = truthOf(start, start + length);
            const point = answered.get(formatTime(start));
            const where = `seed ${seed}, ${selector}, ${resolution}, ${formatTime(start)}`;
            expect(point !== undefined, where).toBe(truth.changes.length > 0 || truth.values.length > 0);
            if (point) expectStep(kind, point, truth, where);
          }
        }
      }
    }
  });
});
