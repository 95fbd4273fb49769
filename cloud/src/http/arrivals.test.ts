/** How long a request has waited, for all that a process can know that may have stood still. */
import { type Clock, VirtualClock } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import { Arrivals } from "./arrivals.ts";

test("a request has waited since it was read, and no longer while the process runs", async () => {
  const clock = new VirtualClock();
  using arrivals = Arrivals.start(clock);
  await clock.advance(10_100);
  const arrival = arrivals.arrival();
  expect(arrivals.since(arrival)).toBe(0);
  await clock.advance(40);
  expect(arrivals.since(arrival)).toBe(40);
});

test("what is read after a standstill may have come when it began", () => {
  let now = 1_000;
  const stopped: Clock = { now: () => now, monotonic: () => now, timer: () => ({ cancel() {} }) };
  using arrivals = Arrivals.start(stopped);
  now += 1_400;
  expect(arrivals.since(arrivals.arrival())).toBe(0);
  now += 20_000;
  expect(arrivals.since(arrivals.arrival())).toBe(21_400);
});
