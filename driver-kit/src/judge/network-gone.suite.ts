/** Group 8: a network that is gone for an hour costs little, and what was behind it is back soon after it is. */
import { expect, test } from "vitest";
import { Trial } from "./trial.suite.ts";
import { type JudgeOptions, judgeRounds, type OpenWorld } from "./world.suite.ts";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Tries an hour: full jitter under a bound of a minute makes some 120. */
const MOST_TRIES = 150;
/** Tries an hour of a driver that is excused: four a second. */
const MOST_TRIES_EXCUSED = 14_400;
/** Timers that may wait at any time, and that may be started for each try or each minute. */
const MOST_PENDING = 30;
const MOST_STARTED = 10;
const BACK_WITHIN_MS = 2 * MINUTE_MS;

export function judgeNetworkGone(open: OpenWorld, options: JudgeOptions): void {
  const mostTries = options.without?.backoff === undefined ? MOST_TRIES : MOST_TRIES_EXCUSED;
  const hours = judgeRounds(1, 24);

  test(`tries at most ${mostTries} times an hour while the network is gone, and is back within two minutes`, async () => {
    await using one = await Trial.begin(open, options);
    const { world, host, clock } = one;
    world.cut();
    await clock.advance(0);
    const before = { tries: world.tries(), timers: one.timersStarted };
    let mostPending = 0;
    for (let minute = 0; minute < 60 * hours; minute++) {
      await clock.advance(MINUTE_MS);
      mostPending = Math.max(mostPending, one.pending.length);
      if (minute % 10 === 0) expect(await one.settled(one.write(true, 500))).toMatchObject({ outcome: "not_applied" });
    }
    const tries = world.tries() - before.tries;
    expect(tries, "it tries at all").toBeGreaterThan(10);
    expect(tries).toBeLessThanOrEqual(mostTries * hours);
    expect(mostPending).toBeLessThanOrEqual(MOST_PENDING);
    expect(one.timersStarted - before.timers).toBeLessThanOrEqual(MOST_STARTED * (tries + 60 * hours));
    const arrivals = host.arrivals.length;
    world.mend();
    await one.settled(
      until(() => host.arrivals.length > arrivals, host),
      BACK_WITHIN_MS,
    );
    expect(await one.settled(one.write(true))).toEqual({ kind: "value", value: true });
  });

  test("waits long again after a network that came back for a moment only", async () => {
    await using one = await Trial.begin(open, options);
    const { world, clock } = one;
    const before = world.tries();
    for (let from = clock.monotonic(); clock.monotonic() - from < HOUR_MS; ) {
      world.mend();
      await clock.advance(2000);
      world.cut();
      await clock.advance(118_000);
    }
    // Thirty times a moment of success, which is worth a few quick tries each.
    expect(world.tries() - before).toBeLessThanOrEqual(2 * mostTries);
    world.mend();
    await clock.advance(BACK_WITHIN_MS);
    expect(one.driver.has(world.device)).toBe(true);
  });
}

async function until(isSo: () => boolean, host: Trial["host"]): Promise<void> {
  while (!isSo()) await host.nextLine();
}
