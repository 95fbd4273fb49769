/** A clock for the library in place of the machine's wall clock; it governs subscriptions and the dates of certificates. */
import { StandardTime, Time, Timestamp } from "@matter/main";
import { type Clock, dateOf, undisturbedClock } from "@porchlight/shared/kernel";

class ClockTime extends StandardTime {
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

/** Must run before the library is used; shields it from jumps of the wall clock. */
export function setLibraryTime(clock: Clock): void {
  Time.default = new ClockTime(undisturbedClock(clock));
}
