/** Time that is faster, slower, or stands still. */
import { every, VirtualClock } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import { PacedClock } from "./paced-clock.ts";

test("ten times as fast, an hour is over in six minutes", async () => {
  const base = new VirtualClock();
  const clock = new PacedClock(base, 10);
  const fired: number[] = [];
  clock.timer("hour", 3_600_000, () => fired.push(base.monotonic()));
  await base.advance(360_000);
  expect([fired, clock.monotonic()]).toEqual([[360_000], 3_600_000]);
});

test("a clock that stands still fires nothing until it goes on, and forgets nothing", async () => {
  const base = new VirtualClock();
  const clock = new PacedClock(base, 1);
  const fired: number[] = [];
  clock.timer("second", 1000, () => fired.push(base.monotonic()));
  await base.advance(400);
  clock.speed = 0;
  await base.advance(100_000);
  expect([fired, clock.monotonic(), base.pending()]).toEqual([[], 400, []]);
  clock.speed = 2;
  await base.advance(300);
  expect(fired).toEqual([100_700]);
});

test("a step fires each timer at its own instant, and those that they set", () => {
  const clock = new PacedClock(new VirtualClock(), 0);
  const fired: number[] = [];
  const timer = every(clock, "tick", 300, () => fired.push(clock.monotonic()));
  clock.step(1000);
  expect([fired, clock.monotonic()]).toEqual([[300, 600, 900], 1000]);
  timer.cancel();
  clock.step(1000);
  expect(fired).toHaveLength(3);
});
