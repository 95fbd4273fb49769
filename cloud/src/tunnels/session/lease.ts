/** A tunnel's lease: computed from the time of its hub's last message, never stored; a pause of our own does not count against the hub. */
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

  /** Whether the hub counts as connected. */
  get live(): boolean {
    return this.#clock.monotonic() < this.#heardAt + this.#lengthMs;
  }

  /** Wall-clock time of its last message. */
  get lastHeardAt(): number {
    return this.#heardWall;
  }

  /** Wall-clock time since which it has been live without interruption: a stall of this process can expire the lease and renew it. */
  get liveSince(): number {
    return this.#liveSince;
  }

  /** This node stops reading: messages of the hub cannot arrive meanwhile. */
  pause(): void {
    this.#paused = true;
    this.#heardAt = this.#clock.monotonic();
  }

  resume(): void {
    this.#paused = false;
    this.#heardAt = this.#clock.monotonic();
  }

  /** Why the lease is over: the hub's silence, or our own store that did not keep up for a whole lease. */
  get endReason(): "lease_expired" | "unavailable" {
    return this.#paused ? "unavailable" : "lease_expired";
  }
}
