/** Group 7: a write that is ended at any step never says less than what the device saw. */
import { seededRandom } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";
import { expect, test } from "vitest";
import type { DriverResult } from "../contract/driver.ts";
import { SupervisedDriver } from "../host/supervised.ts";
import { Trial } from "./trial.suite.ts";
import { type JudgeOptions, judgeRounds, type OpenWorld, type Through } from "./world.suite.ts";
import { Breaking, ENDINGS, type Ending, type Scene, sceneOf, step } from "./write-scenes.suite.ts";

/** Time in which what is still under way would reach the device, ms. */
const REST_MS = 90_000;
/** Each outcome comes in this share of the scenes at least, or they are not as different as they must be. */
const FEWEST = 0.02;

export function judgeCutWrites(open: OpenWorld, options: JudgeOptions): void {
  const endings = ENDINGS.filter((ending) => ending !== "refused" || options.without?.refusals === undefined);

  test("never says less of a write than what the device saw, wherever it is ended", async () => {
    const steps = await stepsOfWrite(open, options);
    const seeds = judgeRounds(100, 2000);
    const outcomes: string[] = [];
    const lies: string[] = [];
    for (let seed = 1; seed <= seeds; seed++) {
      const scene = sceneOf(seededRandom(seed), endings, steps);
      const { outcome, lie } = await play(open, options, scene, seed);
      outcomes.push(outcome);
      if (lie !== undefined) lies.push(`seed ${seed}, ${JSON.stringify(scene)}: ${lie}`);
    }
    expect(lies).toEqual([]);
    const expected = ["value", "not_applied", "unknown", ...(endings.includes("refused") ? ["rejected"] : [])];
    const counts = expected.map((each) => [each, outcomes.filter((outcome) => outcome === each).length] as const);
    expect(
      counts.filter(([, count]) => count < seeds * FEWEST),
      `seen: ${JSON.stringify(counts)}`,
    ).toEqual([]);
  });
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

async function play(open: OpenWorld, options: JudgeOptions, scene: Scene, seed: number) {
  const breaking = new Breaking();
  const through = scene.ending === "fails" ? breakingUnderSupervision(breaking, options.through) : options.through;
  await using one = await Trial.begin(open, { ...options, through, seed });
  const { world, clock } = one;
  const asker = new AbortController();
  let mayTouch = true;
  const ends: Record<Ending, () => unknown> = {
    cut: () => {
      world.cut();
      if (scene.isLate) world.mend();
    },
    disposed: () => one.driver[Symbol.asyncDispose](),
    withdrawn: () => {
      mayTouch = false;
    },
    abandoned: () => asker.abort(),
    deadline: () => undefined,
    fails: () => breaking.fail(),
    speaks: () => world.speak(),
    refused: () => world.refuse?.(),
  };
  const pass = async () => {
    if (scene.device !== "quick") return clock.advance(scene.at);
    for (let at = 0; at < scene.at; at++) await step(at);
  };
  const asked = world.actual() !== true;
  const results: DriverResult[] = [];
  const write = async () => {
    results.push(await one.write(asked, scene.ms, { mayTouch: () => mayTouch, signal: asker.signal }));
  };
  const end = async () => void (await ends[scene.ending]());

  const before = { touched: world.touched(), actual: world.actual() };
  if (scene.device === "silent") world.silence();
  if (scene.device === "slow") world.slow(scene.delayMs);
  if (scene.isBehind) void one.read(60_000);
  const first = scene.isLate ? end() : write();
  await pass();
  const second = scene.isLate ? write() : end();
  await one.settled(Promise.all([first, second]));
  world.mend();
  world.speak();
  await clock.advance(REST_MS);
  const after = { touched: world.touched(), actual: world.actual() };
  const [result] = results;
  if (!result) throw new Error("the write has no result");
  return { outcome: result.kind === "value" ? "value" : result.outcome, lie: lieOf(result, asked, before, after) };
}

/** As the hub runs it, with a driver that can be made to throw. */
function breakingUnderSupervision(breaking: Breaking, through: Through = (make) => make): Through {
  return (make, stage) => {
    const { clock, random, log } = stage;
    const start = breaking.wrap(through(make, stage));
    return (host) => new SupervisedDriver({ name: "judged", start, clock, random, log, host });
  };
}

interface Seen {
  readonly touched: number;
  readonly actual: Value;
}

/** What is untrue of a result, by what the device saw; undefined when nothing is. */
function lieOf(result: DriverResult, asked: Value, before: Seen, after: Seen): string | undefined {
  const touched = after.touched - before.touched;
  const saw = `the device was asked ${touched} times and is ${after.actual}`;
  if (result.kind === "value") {
    if (result.value !== asked) return `the value ${result.value} of a write of ${asked}; ${saw}`;
    return after.actual === result.value && touched > 0 ? undefined : `a value, but ${saw}`;
  }
  if (result.outcome === "unknown") return undefined;
  // A device that refuses has got the write, and has not acted.
  const hasSeen = after.actual !== before.actual || (result.outcome === "not_applied" && touched > 0);
  return hasSeen ? `${result.outcome}, but ${saw}` : undefined;
}
