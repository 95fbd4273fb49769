/** Group 7: a write that is ended at any step never says less than what the device saw. */
import { pick, type Random, randomInteger, seededRandom, settle, silentLog } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";
import { expect, test } from "vitest";
import type { DriverResult } from "../driver.ts";
import { type StatedDriver, SupervisedDriver } from "../supervised.ts";
import { Trial } from "./trial.suite.ts";
import { type JudgeOptions, judgeRounds, type MakeDriver, type OpenWorld } from "./world.suite.ts";

/** How a write is ended. `fails`: the driver throws, under its supervisor. `speaks`: it is not ended; the device answers after all. */
const ENDINGS = ["cut", "disposed", "withdrawn", "abandoned", "deadline", "fails", "speaks", "refused"] as const;
type Ending = (typeof ENDINGS)[number];

/** One seeded end of a write. */
interface Scene {
  readonly ending: Ending;
  /** The device is silent from the start, and `at` counts milliseconds; else it answers at once, and `at` counts steps of the driver. */
  readonly isSilent: boolean;
  /** A read that is not answered stands before the write. */
  readonly isBehind: boolean;
  readonly at: number;
  readonly ms: number;
}

const LONGEST_MS = 5000;
/** Time in which what is still under way would reach the device, ms. */
const REST_MS = 90_000;

export function judgeCutWrites(open: OpenWorld, options: JudgeOptions): void {
  const endings = ENDINGS.filter((ending) => ending !== "refused" || options.without?.refusals === undefined);

  test("never says less of a write than what the device saw, wherever it is ended", async () => {
    const steps = await stepsOfWrite(open, options);
    const outcomes = new Map<string, number>();
    const lies: string[] = [];
    for (let seed = 1; seed <= judgeRounds(100, 2000); seed++) {
      const scene = sceneOf(seededRandom(seed), endings, steps);
      const { outcome, lie } = await play(open, options, scene, seed);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      if (lie !== undefined) lies.push(`seed ${seed}, ${JSON.stringify(scene)}: ${lie}`);
    }
    expect(lies).toEqual([]);
    // Else nothing was judged.
    const expected = ["value", "not_applied", "unknown", ...(endings.includes("refused") ? ["rejected"] : [])];
    expect([...outcomes.keys()].toSorted()).toEqual(expected.toSorted());
  });
}

function sceneOf(random: Random, endings: readonly Ending[], steps: number): Scene {
  const [first = "cut", ...rest] = endings;
  const ending = pick(random, [first, ...rest]);
  const isSilent = ending === "speaks" || randomInteger(random, 2) === 0;
  const ms = ending === "deadline" ? randomInteger(random, LONGEST_MS) : LONGEST_MS;
  const at = isSilent ? randomInteger(random, LONGEST_MS + 1000) : randomInteger(random, steps + 3);
  return { ending, isSilent, isBehind: isSilent && randomInteger(random, 3) === 0, at, ms };
}

/** How many steps a write takes from its start to its end when nothing disturbs it. */
async function stepsOfWrite(open: OpenWorld, options: JudgeOptions): Promise<number> {
  await using one = await Trial.begin(open, options);
  let isOver = false;
  const written = one.write(true).finally(() => {
    isOver = true;
  });
  let steps = 0;
  for (; !isOver && steps < 1000; steps++) await step(steps);
  await one.settled(written);
  return steps;
}

/** The least that a program can do: the next job of the queue of promises, and now and then a turn of the event loop. */
async function step(at: number): Promise<void> {
  if (at % 20 === 19) await settle(1);
  else await undefined;
}

async function play(open: OpenWorld, options: JudgeOptions, scene: Scene, seed: number) {
  const breaking = new Breaking();
  const inner = options.through;
  const through: JudgeOptions["through"] = (make, stage) => {
    const made = inner ? inner(make, stage) : make;
    if (scene.ending !== "fails") return made;
    const { clock, random } = stage;
    const start = breaking.wrap(made);
    return (host) => new SupervisedDriver({ name: "judged", start, clock, random, log: silentLog, host });
  };
  await using one = await Trial.begin(open, { ...options, through, seed });
  const { world, clock } = one;
  const value = world.actual() !== true;
  const before = { touched: world.touched(), actual: world.actual() };
  const asker = new AbortController();
  let mayTouch = true;
  if (scene.isSilent) world.silence();
  if (scene.isBehind) void one.read(60_000);
  const writing = one.write(value, scene.ms, { mayTouch: () => mayTouch, signal: asker.signal });
  if (scene.isSilent) await clock.advance(scene.at);
  else for (let at = 0; at < scene.at; at++) await step(at);

  const ends: Record<Ending, () => unknown> = {
    cut: () => world.cut(),
    disposed: () => one.driver[Symbol.asyncDispose](),
    withdrawn: () => {
      mayTouch = false;
    },
    abandoned: () => asker.abort(),
    deadline: () => undefined,
    fails: () => breaking.fail(),
    speaks: () => world.speak(),
    refused: () => {
      world.refuse?.();
      world.speak();
    },
  };
  await ends[scene.ending]();
  const result = await one.settled(writing);
  world.mend();
  world.speak();
  await clock.advance(REST_MS);
  const after = { touched: world.touched(), actual: world.actual() };
  return { outcome: result.kind === "value" ? "value" : result.outcome, lie: lieOf(result, value, before, after) };
}

interface Seen {
  readonly touched: number;
  readonly actual: Value;
}

/** What is untrue of a result, by what the device saw; undefined when nothing is. */
function lieOf(result: DriverResult, asked: Value, before: Seen, after: Seen): string | undefined {
  const saw = `the device was told ${after.touched - before.touched} times and is ${after.actual}`;
  if (result.kind === "value") {
    if (result.value !== asked) return `the value ${result.value} of a write of ${asked}; ${saw}`;
    return after.actual === result.value && after.touched > before.touched ? undefined : `a value, but ${saw}`;
  }
  if (result.outcome === "unknown") return undefined;
  if (after.actual !== before.actual) return `${result.outcome}, but ${saw}`;
  return result.outcome === "not_applied" && after.touched > before.touched ? `not_applied, but ${saw}` : undefined;
}

/** A driver that does what it does until its author's mistake shows: every write that is open rejects. */
class Breaking {
  readonly #broken = Promise.withResolvers<never>();
  #hasFailed = false;

  constructor() {
    this.#broken.promise.catch(() => undefined);
  }

  fail(): void {
    this.#hasFailed = true;
    this.#broken.reject(new Error("the author did not think of this"));
  }

  wrap(make: MakeDriver): MakeDriver {
    return async (host) => {
      const driver = await make(host);
      const mine: StatedDriver = {
        name: driver.name,
        has: (edgeId) => driver.has(edgeId),
        read: (...asked) => driver.read(...asked),
        write: (...asked) => {
          const written = driver.write(...asked);
          // The next life has no such mistake.
          return this.#hasFailed ? written : Promise.race([written, this.#broken.promise]);
        },
        failed: driver.failed,
        [Symbol.asyncDispose]: () => driver[Symbol.asyncDispose](),
      };
      return mine;
    };
  }
}
