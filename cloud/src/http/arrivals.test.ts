/** How long a request has waited, for all that a process can know that may have stood still. */
import { type Clock, VirtualClock } from "@porchlight/shared/kernel";
import { beforeEach, describe, expect, test } from "vitest";
import { Arrivals } from "./arrivals.ts";

test("a request has waited since it was read, as long as the process runs", async () => {
  const clock = new VirtualClock();
  using arrivals = Arrivals.start(clock);
  await clock.advance(10_100);
  const arrival = arrivals.arrival();
  expect(arrivals.since(arrival)).toBe(0);
  await clock.advance(40);
  expect(arrivals.since(arrival)).toBe(40);
});

describe("after a standstill", () => {
  let now: number;
  let tick: () => void;
  let arrivals: Arrivals;
  beforeEach(() => {
    now = 1_000;
    const clock: Clock = {
      now: () => now,
      monotonic: () => now,
      timer: (_name, _ms, fire) => {
        tick = fire;
        return { cancel() {} };
      },
    };
    arrivals = Arrivals.start(clock);
  });
  const waited = () => arrivals.since(arrivals.arrival());

  test("what is read may have come when it began, whether a socket or a timer finds out first", () => {
    now += 20_000;
    expect(waited()).toBe(20_000);
    now += 30_000;
    tick();
    expect(waited()).toBe(30_000);
  });

  test("what is read a little later may have come then too, and later it has not", () => {
    now += 20_000;
    tick();
    now += 1_400;
    expect(waited()).toBe(21_400);
    tick();
    now += 200;
    expect(waited()).toBe(0);
  });

  test("a loop that is busy for a moment has not stood still", () => {
    now += 1_400;
    expect(waited()).toBe(0);
  });
});
