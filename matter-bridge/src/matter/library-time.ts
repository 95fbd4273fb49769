/** The time that the library has, instead of the machine's wall clock: the library's own measure of a subscription, and its certificates' dates. */
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

/** Before the library is used: no jump of the wall clock reaches it from here on. */
export function setLibraryTime(clock: Clock): void {
  Time.default = new ClockTime(undisturbedClock(clock));
}
