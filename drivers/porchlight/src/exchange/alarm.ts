/**
 * A timer that is moved often and rings seldom: it is only moved to earlier times, and its owner checks again when it rings too early.
 * B2: while a process was suspended its input stays unread, and the answers in it must be read before the clock ends a try. A late alarm
 * therefore waits for the input before it rings.
 */
import type { Clock, Timer } from "@porchlight/shared/kernel";

/** A delay beyond this shows that the process was suspended, ms. */
const LATE_MS = 100;
/** How long a late alarm waits for the input, ms: another thread reads a serial port, a few turns of the loop after bytes arrive. */
const INPUT_MS = 50;
/** Maximum number of waits for the input: in a process that is always late, the alarm must ring in the end. */
const MOST_WAITS = 5;

export class Alarm {
  readonly #clock: Clock;
  readonly #name: string;
  readonly #ring: () => void;
  #timer: Timer | undefined;
  #ringsAt = Number.POSITIVE_INFINITY;
  /** When its timer is due, by both clocks: the monotonic clock stands still while a machine sleeps. */
  #due = { monotonic: Number.POSITIVE_INFINITY, wall: Number.POSITIVE_INFINITY };
  /** Number of waits for the input since it was due. */
  #waits = 0;

  constructor(clock: Clock, name: string, ring: () => void) {
    this.#clock = clock;
    this.#name = name;
    this.#ring = ring;
  }

  /** Whether the process was suspended when the alarm was due, and input of that time may still be unread. */
  get isLate(): boolean {
    return this.#waits > 0 || this.#isOverdue;
  }

  /** Rings at `at`, monotonic ms, or before. */
  ringBy(at: number): void {
    if (this.#ringsAt <= at || this.#waits > 0) return;
    this.#timer?.cancel();
    this.#ringsAt = at;
    this.#wait(at - this.#clock.monotonic());
  }

  cancel(): void {
    this.#timer?.cancel();
    this.#rest();
  }

  get #isOverdue(): boolean {
    const { monotonic, wall } = this.#due;
    return this.#clock.monotonic() - monotonic > LATE_MS || this.#clock.now() - wall > LATE_MS;
  }

  #wait(ms: number): void {
    const left = Math.max(0, ms);
    this.#due = { monotonic: this.#clock.monotonic() + left, wall: this.#clock.now() + left };
    this.#timer = this.#clock.timer(this.#name, left, () => {
      if (this.#isOverdue && this.#waits < MOST_WAITS) {
        this.#waits += 1;
        return this.#wait(INPUT_MS);
      }
      this.#rest();
      this.#ring();
    });
  }

  #rest(): void {
    this.#ringsAt = Number.POSITIVE_INFINITY;
    this.#due = { monotonic: Number.POSITIVE_INFINITY, wall: Number.POSITIVE_INFINITY };
    this.#waits = 0;
  }
}
