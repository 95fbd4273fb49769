/** A tunnel's lease: computed from when its hub was last heard, never stored; a pause that is our own doing does not count against the hub. */
import type { Clock } from "@porchlight/shared/kernel";

export class Lease {
  readonly #clock: Clock;
  readonly #lengthMs: number;
  #heardAt: number;
  #heardWall: number;
  #liveSince: number;
  #paused = false;

  constructor(clock: Clock, lengthMs: number) {
    this.#clock = clock;
    this.#lengthMs = lengthMs;
    this.#heardAt = clock.monotonic();
    this.#heardWall = clock.now();
    this.#liveSince = this.#heardWall;
  }

  heard(): void {
    if (!this.live) this.#liveSince = this.#clock.now();
    this.#heardAt = this.#clock.monotonic();
    this.#heardWall = this.#clock.now();
  }

  /** Whether the hub may be taken to be there. */
  get live(): boolean {
    return this.#clock.monotonic() < this.#heardAt + this.#lengthMs;
  }

  /** Wall-clock time at which it was last heard. */
  get lastHeardAt(): number {
    return this.#heardWall;
  }

  /** Wall-clock time since which it has been live without a break: after a stall of this process it may be over and live again. */
  get liveSince(): number {
    return this.#liveSince;
  }

  /** We do not read any more: what the hub says meanwhile cannot be heard. */
  pause(): void {
    this.#paused = true;
    this.#heardAt = this.#clock.monotonic();
  }

  resume(): void {
    this.#paused = false;
    this.#heardAt = this.#clock.monotonic();
  }

  /** Why it is over: the hub's silence, or our own store that did not keep up for a whole lease. */
  get endReason(): "lease_expired" | "unavailable" {
    return this.#paused ? "unavailable" : "lease_expired";
  }
}
