/**
 * No outcome says less than what the device has seen: a write is hindered at a moment that a seed chooses, anywhere between before its
 * first byte and after its answer, in each way in which it can be.
 */
import { randomInteger, seededRandom } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import type { DriverUnderTest } from "./every-driver.suite.ts";

const SEEDS = process.env.PORCHLIGHT_LONG ? 2000 : 100;
/** A write in memory is over after fewer turns of the event loop's own queue. */
const MOST_TURNS = 60;
const HINDRANCES = ["line cut", "driver ended", "permission withdrawn", "device silent", "nothing"] as const;

export function outcomesAreTrue(start: () => Promise<DriverUnderTest>): void {
  test(`says of no write less than what the device has seen, whatever hinders it and when (${SEEDS} seeds)`, async () => {
    const seen = new Map<string, number>();
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const outcome = await hinder(await start(), seed);
      seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
    }
    // A suite that only ever saw one end has hindered nothing.
    expect([...seen.keys()]).toContain("value");
    expect([...seen.keys()].some((outcome) => outcome !== "value")).toBe(true);
  });
}

/** Gives how the write ended. */
async function hinder(one: DriverUnderTest, seed: number): Promise<string> {
  const random = seededRandom(seed);
  const how = HINDRANCES[randomInteger(random, HINDRANCES.length)] ?? "nothing";
  // What is done within one turn can only be hindered before.
  const isBefore = randomInteger(random, 4) === 0;
  const turns = isBefore ? 0 : randomInteger(random, MOST_TURNS);
  let isAllowed = true;
  let ended: Promise<void> | undefined;
  const act = () => {
    if (how === "line cut") one.cut();
    if (how === "device silent") one.silence();
    if (how === "permission withdrawn") isAllowed = false;
    if (how === "driver ended") ended = Promise.resolve(one.driver[Symbol.asyncDispose]());
  };
  if (isBefore) act();
  const written = one.driver.write(
    one.device,
    one.property,
    true,
    one.attempt(5000, () => isAllowed),
  );
  for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
  if (!isBefore) act();
  const result = await one.settled(written);
  await one.settled(ended);
  const told = result?.kind === "failed" ? result.outcome : (result?.kind ?? "nothing");
  const about = { seed, how, isBefore, turns, told };
  if (one.touched() > 0) expect(["value", "unknown"], JSON.stringify(about)).toContain(told);
  if (result?.kind === "value") expect(result.value, JSON.stringify(about)).toBe(true);
  expect(told, JSON.stringify(about)).not.toBe("nothing");
  await one[Symbol.asyncDispose]();
  return told;
}
