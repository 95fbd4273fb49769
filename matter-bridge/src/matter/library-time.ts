/**
 * The time that the library has. A file of its own because the library measures how long things last by the wall clock, and dates
 * certificates by it: when a hub's clock is set, subscriptions would be over, or last for years, and on a hub that starts in 1970 the
 * library cannot make its certificates.
 */
import { StandardTime, Time, Timestamp } from "@matter/main";
import { type Clock, dateOf, SteeredClock } from "@porchlight/shared/kernel";

/** Nothing of this is older, ms: a clock that says so is not set. 2026-01-01. */
const EARLIEST_MS = 1_767_225_600_000;

/** The wall clock as it is now, and from then on the monotonic clock. */
class UndisturbedTime extends StandardTime {
  readonly #clock: Clock;

  constructor(clock: Clock) {
    super();
    this.#clock = clock;
  }

  override get now() {
    return dateOf(this.#clock.now());
  }

  override get nowMs() {
    return Timestamp(this.#clock.now());
  }
}

/** Before the library is used: no jump of the wall clock reaches it from here on. */
export function setLibraryTime(clock: Clock): void {
  const undisturbed = new SteeredClock(clock);
  const now = clock.monotonic();
  if (undisturbed.now() < EARLIEST_MS) undisturbed.steer(EARLIEST_MS, now, now);
  Time.default = new UndisturbedTime(undisturbed);
}
