/**
 * A wall clock that is not moved when the machine's is set: for a library that measures how long things last by it, or dates certificates by it.
 * It begins with the machine's time, or with the earliest that can be if the machine's has not been set, and runs on the monotonic clock.
 */
import type { Clock } from "./clock.ts";
import { SteeredClock } from "./steered-clock.ts";

/** A clock that says less is not set, ms: nothing of this is older. 2026-01-01. */
const EARLIEST_MS = 1_767_225_600_000;

export function undisturbedClock(clock: Clock): Clock {
  const undisturbed = new SteeredClock(clock);
  const now = clock.monotonic();
  if (undisturbed.now() < EARLIEST_MS) undisturbed.steer(EARLIEST_MS, now, now);
  return undisturbed;
}
