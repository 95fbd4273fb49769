/** Statistics of random changes and gaps, beside those that a second program adds up second by second from the changes alone. */
import { describe, expect, it } from "vitest";
import type { HistoryKind } from "../api/index.ts";
import { seededRandom } from "../kernel/index.ts";
import { append, type Bucket, copyOf, NONE, pointOf, readSum, saysSomething, storedSum } from "./bucket.ts";
import {
  type Change,
  type Interval,
  knownTime,
  merged,
  recordChange,
  type SeriesState,
  STEPS,
  type Step,
} from "./series.ts";
import { denseBuckets } from "./steps.ts";

const SECOND = 1000;
const BEGIN = 1_700_000_100_000 - (1_700_000_100_000 % STEPS.hours) + 1_234_000;

interface Made {
  readonly changes: Change[];
  readonly gaps: Interval[];
  readonly now: number;
}

/** Some hours with bursts, long silences, changes in one second, and values that go away. */
function make(seed: number, kind: HistoryKind): Made {
  const random = seededRandom(seed);
  const share = () => random.fraction();
  const whole = (most: number) => Math.floor(share() * most);
  const changes: Change[] = [];
  const gaps: Interval[] = [];
  let at = BEGIN;
  let meter = 100;
  for (let each = 0; each < 60; each++) {
    at += SECOND * (share() < 0.3 ? whole(4) : share() < 0.9 ? whole(900) : whole(20_000));
    meter = share() < 0.1 ? whole(5) : meter + whole(7);
    const value = {
      number: whole(100) / 4 - 10,
      total: meter,
      state: ["on", "off", true, 3][whole(4)],
      event: ["press", "double"][whole(2)],
    }[kind];
    changes.push({ at, value: share() < 0.05 && kind !== "event" ? NONE : JSON.stringify(value) });
    if (share() < 0.1) gaps.push({ from: at + SECOND * whole(300), until: at + SECOND * (300 + whole(9000)) });
  }
  return { changes, gaps, now: at + SECOND * whole(9000) };
}

/** What a program would keep of it. */
function kept(kind: HistoryKind, { changes, gaps }: Made) {
  let state: SeriesState | undefined;
  const closed: Record<Step, Bucket[]> = { fiveMinutes: [], hours: [] };
  for (const change of changes) {
    const recorded = recordChange(kind, state, change, merged(gaps));
    state = recorded.state;
    for (const { step, bucket } of recorded.closed) closed[step].push(bucket);
  }
  if (!state) throw new Error("no change");
  return { state, closed };
}

/** What the value was in each second: by the changes and gaps alone, with nothing of the program. */
function eachSecond({ changes, gaps, now }: Made, from: number): string[] {
  const values: string[] = [];
  for (let at = from, next = 0, value = NONE; at < now; at += SECOND) {
    for (; (changes[next]?.at ?? Number.POSITIVE_INFINITY) <= at; next++) value = changes[next]?.value ?? NONE;
    values.push(gaps.some((gap) => gap.from <= at && at < gap.until) ? NONE : value);
  }
  return values;
}

/** The truth of one step. @param values of its seconds, as far as they have passed */
function addedUp(kind: HistoryKind, changes: readonly Change[], values: readonly string[]) {
  const held = kind === "event" ? [] : values.filter((value) => value !== NONE);
  const known: Record<string, number> = {};
  const counted = kind === "event" ? changes.map(({ value }) => value) : held;
  for (const value of counted) known[value] = (known[value] ?? 0) + 1;
  const numbers = [...held, ...changes.map(({ value }) => value)].map((value) => JSON.parse(value));
  const sum = held.reduce((all, value) => all + Number(JSON.parse(value)), 0);
  return {
    ...{ count: changes.length, knownSeconds: held.length, known, mean: sum / held.length },
    numbers: numbers.filter((value) => typeof value === "number"),
  };
}

describe.each(["number", "total", "state", "event"] as const)("the statistics of a series of kind %s", (kind) => {
  it.each(["fiveMinutes", "hours"] as const)("are those of its changes, in steps of %s", (step) => {
    for (let seed = 1; seed <= 12; seed++) {
      const made = make(seed, kind);
      const { state, closed } = kept(kind, made);
      const from = BEGIN - (BEGIN % STEPS.hours) - STEPS.hours;
      const to = made.now - (made.now % STEPS.hours) + STEPS.hours;
      const asked = {
        kind,
        step,
        from,
        to,
        recordedUntil: made.now,
        gaps: merged(made.gaps),
        state,
        before: undefined,
      };
      const buckets = new Map(denseBuckets({ ...asked, kept: closed[step] }).map((each) => [each.start, each]));
      const seconds = eachSecond(made, from);
      for (let start = from; start < to; start += STEPS[step]) {
        const within = made.changes.filter(({ at }) => at >= start && at < start + STEPS[step]);
        const first = (start - from) / SECOND;
        const truth = addedUp(kind, within, seconds.slice(first, first + STEPS[step] / SECOND));
        const bucket = buckets.get(start);
        const where = `seed ${seed}, step ${(start - from) / STEPS[step]}`;
        expect(bucket !== undefined, where).toBe(truth.count > 0 || truth.knownSeconds > 0);
        if (!bucket) continue;
        expect([bucket.count, bucket.knownMs / 1000], where).toEqual([truth.count, truth.knownSeconds]);
        if (kind === "number" || kind === "total") {
          if (truth.knownSeconds > 0)
            expect((bucket.area ?? Number.NaN) / bucket.knownMs, where).toBeCloseTo(truth.mean, 9);
          const numbers = [bucket.min, bucket.max];
          expect(numbers, where).toEqual(
            truth.numbers.length > 0 ? [Math.min(...truth.numbers), Math.max(...truth.numbers)] : [null, null],
          );
        } else {
          const scale = kind === "event" ? 1 : 1000;
          const counted = Object.fromEntries(Object.entries(bucket.states).map(([value, of]) => [value, of / scale]));
          expect(counted, where).toEqual(truth.known);
        }
      }
    }
  });
});

describe("a time that begins and ends anywhere", () => {
  it("has the same steps as the whole, when it gets the value that held before it", () => {
    for (let seed = 20; seed < 32; seed++) {
      const made = make(seed, "number");
      const { state, closed } = kept("number", made);
      const gaps = merged(made.gaps);
      const span = { from: BEGIN - (BEGIN % STEPS.hours), to: made.now + STEPS.hours };
      const asked = { kind: "number", step: "fiveMinutes", recordedUntil: made.now, gaps, state } as const;
      const whole = denseBuckets({ ...asked, ...span, before: undefined, kept: closed.fiveMinutes });
      for (let from = span.from; from < made.now; from += 7 * STEPS.fiveMinutes) {
        const to = from + 7 * STEPS.fiveMinutes;
        const before = made.changes.filter(({ at }) => at < from).at(-1)?.value;
        const within = closed.fiveMinutes.filter(({ start }) => start >= from && start < to);
        const part = denseBuckets({ ...asked, from, to, before, kept: within });
        expect(part, `seed ${seed}`).toEqual(whole.filter(({ start }) => start >= from && start < to));
      }
    }
  });
});

describe("an hour", () => {
  it("is its twelve steps of five minutes together", () => {
    for (const kind of ["number", "total", "state"] as const) {
      const made = make(7, kind);
      const { state, closed } = kept(kind, made);
      const from = BEGIN - (BEGIN % STEPS.hours);
      const asked = { kind, from, to: made.now, recordedUntil: made.now, gaps: merged(made.gaps), state } as const;
      const fine = denseBuckets({ ...asked, step: "fiveMinutes", before: undefined, kept: closed.fiveMinutes });
      for (const hour of denseBuckets({ ...asked, step: "hours", before: undefined, kept: closed.hours })) {
        const own = fine.filter(({ start }) => start >= hour.start && start < hour.start + STEPS.hours);
        const [first, ...others] = own.map(copyOf);
        if (!first) throw new Error("no step");
        for (const each of others) append(first, each);
        expect({ ...first, start: hour.start, area: 0 }).toEqual({ ...hour, area: 0 });
        expect(first.area).toBeCloseTo(hour.area ?? Number.NaN, 3);
      }
    }
  });
});

describe("a change that is dated before the one that came before it", () => {
  it("counts from the time of that one, so that time never runs backwards", () => {
    const first = recordChange("number", undefined, { at: BEGIN, value: "1" }, []);
    const late = recordChange("number", first.state, { at: BEGIN - 5000, value: "2" }, []);
    expect(late.state).toMatchObject({ value: "2", at: BEGIN });
    expect(late.state.open.hours).toMatchObject({ count: 2, knownMs: 0, min: 1, max: 2 });
  });
});

describe("numbers whose sum is larger than a number can be", () => {
  const LARGEST = Number.MAX_VALUE;
  const recorded = (kind: HistoryKind, values: readonly number[]) => {
    let state: SeriesState | undefined;
    for (const [at, value] of values.entries())
      state = recordChange(kind, state, { at: BEGIN + at * SECOND, value: JSON.stringify(value) }, []).state;
    if (!state) throw new Error("no change");
    return state.open.hours;
  };

  it("have no mean, with any signs, and all other aggregates of a step", () => {
    for (const values of [
      [LARGEST, -LARGEST, 1],
      [LARGEST, LARGEST, 1, 2],
    ]) {
      const bucket = recorded("number", values);
      expect(bucket.area).toBeNull();
      const point = pointOf("number", bucket, undefined);
      expect(Object.keys(point)).not.toContain("mean");
      const { knownSeconds, min, max, last, count } = point;
      expect([knownSeconds, min, max, last, count]).toEqual([
        values.length - 1,
        Math.min(...values),
        LARGEST,
        values.at(-1),
        values.length,
      ]);
    }
  });

  it("have no growth", () => {
    const bucket = recorded("total", [-LARGEST, LARGEST, 3]);
    expect(bucket.growth).toBeNull();
    expect(pointOf("total", bucket, undefined)).not.toHaveProperty("growth");
  });

  it("take the mean from the day that they are in, and keep it from coming back in a database or as JSON", () => {
    const [day, later] = [recorded("number", [1, 2, 3]), recorded("number", [LARGEST, LARGEST, 1])];
    append(day, later);
    append(day, recorded("number", [1, 2, 3]));
    expect(day.area).toBeNull();
    expect(readSum(storedSum(day.area))).toBeNull();
    expect(JSON.parse(JSON.stringify(day))).toEqual(day);
    expect([Number.NaN, Number.NEGATIVE_INFINITY, null, 0, -1].map(readSum)).toEqual([null, null, null, 0, -1]);
  });
});

describe("a state with very many values", () => {
  it("distinguishes sixteen of them, and how long it had the others", () => {
    let state: SeriesState | undefined;
    for (let each = 0; each < 30; each++)
      state = recordChange(
        "state",
        state,
        { at: STEPS.hours + each * SECOND, value: JSON.stringify(`v${each}`) },
        [],
      ).state;
    const states = state?.open.hours.states ?? {};
    expect(Object.keys(states)).toHaveLength(17);
    expect(states[""]).toBe(13_000);
    expect(Object.values(states).reduce((sum, ms) => sum + ms, 0)).toBe(29_000);
  });
});

describe("gaps", () => {
  it("that overlap or meet are one, and empty ones are none", () => {
    const gaps = merged([
      { from: 5, until: 9 },
      { from: 1, until: 3 },
      { from: 3, until: 4 },
      { from: 8, until: Number.POSITIVE_INFINITY },
      { from: 2, until: 2 },
    ]);
    expect(gaps).toEqual([
      { from: 1, until: 4 },
      { from: 5, until: Number.POSITIVE_INFINITY },
    ]);
    expect(knownTime(0, 10, gaps)).toBe(2);
    expect(knownTime(5, 10, gaps)).toBe(0);
    expect(knownTime(10, 0, gaps)).toBe(0);
  });
});

it("a step of which nothing is known says nothing", () => {
  expect(
    saysSomething({ ...recordChange("number", undefined, { at: 0, value: "1" }, []).state.open.hours, count: 0 }),
  ).toBe(false);
});
