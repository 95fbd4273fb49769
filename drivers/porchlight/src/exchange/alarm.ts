/**
 * A timer that is moved often and seldom matters: it is only ever pulled forward, and its owner looks again when it rings too early.
 * B2: in a process that stood still the input of that time waits unread, and its answers must be read before a try is judged by the
 * clock. An alarm that is due since long therefore waits for the input, and rings then.
 */
import type { Clock, Timer } from "@porchlight/shared/kernel";

/** An alarm that is later than this shows that the process stood still, ms. */
const LATE_MS = 100;
/** How long the input has to be read, ms: a serial port is read by another thread, a few turns of the loop after its bytes are noticed. */
const INPUT_MS = 50;
/** So often at most an alarm waits for the input: a process that is always late must ring in the end. */
const MOST_WAITS = 5;

export class Alarm {
  readonly #clock: Clock;
  readonly #name: string;
  readonly #ring: () => void;
  #timer: Timer | undefined;
  #ringsAt = Number.POSITIVE_INFINITY;
  /** When its timer is due, by both clocks: the monotonic one stands still while a machine sleeps. */
  #due = { monotonic: Number.POSITIVE_INFINITY, wall: Number.POSITIVE_INFINITY };
  /** How often it has waited for the input since it was due. */
  #waits = 0;

  constructor(clock: Clock, name: string, ring: () => void) {
    this.#clock = clock;
    this.#name = name;
    this.#ring = ring;
  }

  /** Whether the process stood still when it should have rung, and the input of that time may not have been read yet. */
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
