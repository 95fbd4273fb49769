/** Waiting on a clock, by hand and by the machine. */
import { expect, test } from "vitest";
import { every, sleep, systemClock } from "./clock.ts";
import { settle, VirtualClock } from "./virtual-clock.ts";

test("a sleep ends when its time is over and not before", async () => {
  const clock = new VirtualClock();
  let over = false;
  const nap = sleep(clock, "nap", 1_000).then(() => {
    over = true;
  });
  await clock.advance(999);
  expect(over).toBe(false);
  await clock.advance(1);
  expect(over).toBe(true);
  await nap;
});

test("an aborted sleep ends at once with the signal's reason and leaves no timer", async () => {
  const clock = new VirtualClock();
  const stop = new AbortController();
  const nap = sleep(clock, "nap", 1_000, stop.signal);
  const reason = new Error("stop");
  stop.abort(reason);
  await expect(nap).rejects.toBe(reason);
  await expect(sleep(clock, "nap", 1_000, stop.signal)).rejects.toBe(reason);
  expect(clock.pending()).toEqual([]);
});

test("a repeated call comes every interval until it is cancelled, from within too", async () => {
  const clock = new VirtualClock();
  const calls: number[] = [];
  const timer = every(clock, "sweep", 10, () => {
    calls.push(clock.monotonic());
    if (calls.length === 3) timer.cancel();
  });
  await clock.advance(100);
  expect(calls).toEqual([10, 20, 30]);
  expect(clock.pending()).toEqual([]);
});

test("the machine's clock moves forward, fires once, and forgets what is cancelled", async () => {
  const before = systemClock.monotonic();
  let cancelled = true;
  const timer = systemClock.timer("never", 0, () => {
    cancelled = false;
  });
  timer.cancel();
  timer.cancel();
  await sleep(systemClock, "a moment", 2);
  expect(cancelled).toBe(true);
  expect(systemClock.monotonic()).toBeGreaterThan(before);
  expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(1_000);
});

test("a timer of thirty days does not fire at once", async () => {
  let fired = false;
  const timer = systemClock.timer("token expiry", 30 * 86_400_000, () => {
    fired = true;
  });
  await sleep(systemClock, "a moment", 5);
  await settle();
  expect(fired).toBe(false);
  timer.cancel();
});
