/**
 * The time on a hub that may have no real-time clock: the system's, as long as it agrees with the cloud's; else the cloud's,
 * carried on by the monotonic clock. The decision is pure; the class keeps its inputs.
 *
 * Invariant: no duration depends on the wall clock; an observation made before the time was known keeps its monotonic moment.
 */
import type { Clock, Timer } from "@porchlight/shared/kernel";

/** A known time, and its moment on the monotonic clock, ms. `seen`: stored by the hub in an earlier life. */
export interface Anchor {
  readonly wall: number;
  readonly monotonic: number;
  readonly whose: "cloud" | "seen";
}

export type TimeSource = "system" | "cloud" | "guessed";

/** The system's clock is trusted when it differs by no more than this, ms. */
const TOLERANCE_MS = 5000;

/** The source of the time, and whether the cloud has sent it in this life of the agent. */
export interface TimeKnown {
  readonly source: TimeSource;
  readonly isSetByCloud: boolean;
}

/** Decides the time and its source. @param wall the system's clock @param monotonic of the same moment */
export function tell(
  anchor: Anchor | undefined,
  wall: number,
  monotonic: number,
): { readonly now: number; readonly source: TimeSource } {
  if (!anchor) return { now: wall, source: "system" };
  const carried = anchor.wall + monotonic - anchor.monotonic;
  if (anchor.whose === "cloud") {
    if (Math.abs(wall - carried) <= TOLERANCE_MS) return { now: wall, source: "system" };
    return { now: carried, source: "cloud" };
  }
  // A stored time is in the past: the system's clock is wrong only if it is earlier.
  return wall < carried - TOLERANCE_MS ? { now: carried, source: "guessed" } : { now: wall, source: "system" };
}

/** The moment of an observation made before the time was known. */
export interface Stamp {
  /** The start of the machine during which it was made; monotonic clocks of different starts cannot be compared. */
  readonly boot: string;
  /** Time since that start, ms. */
  readonly monotonic: number;
}

/** Identifies the current start of the machine, and relates its monotonic time to the clock's. */
export interface Boot {
  readonly id: string;
  /** Offset to add to the clock's monotonic time, ms. */
  readonly zero: number;
}

export class HubClock implements Clock {
  readonly #clock: Clock;
  readonly #boot: Boot;
  #anchor: Anchor | undefined;

  /** @param seen the latest time that the hub knew in its earlier lives, ms since 1970; 0 when none */
  constructor(clock: Clock, boot: Boot, seen: number) {
    this.#clock = clock;
    this.#boot = boot;
    if (seen > 0) this.#anchor = { wall: seen, monotonic: clock.monotonic(), whose: "seen" };
  }

  now(): number {
    return this.#tell().now;
  }

  monotonic(): number {
    return this.#clock.monotonic();
  }

  timer(name: string, ms: number, fire: () => void): Timer {
    return this.#clock.timer(name, ms, fire);
  }

  get source(): TimeSource {
    return this.#tell().source;
  }

  /** Whether the cloud has sent the time in this life of the agent. */
  get isSetByCloud(): boolean {
    return this.#anchor?.whose === "cloud";
  }

  /** How far the system's clock is ahead of the cloud's, ms; undefined until the cloud has sent the time. */
  get skewMs(): number | undefined {
    const anchor = this.#anchor;
    if (anchor?.whose !== "cloud") return undefined;
    return Math.round(this.#clock.now() - (anchor.wall + this.#clock.monotonic() - anchor.monotonic));
  }

  /** Takes the cloud's time: its clock was `wall` at that moment of the monotonic clock. */
  learn(wall: number, monotonic: number): void {
    this.#anchor = { wall, monotonic, whose: "cloud" };
  }

  /** The stamp to store with a current observation; undefined when the time is known. */
  stamp(): Stamp | undefined {
    if (this.isSetByCloud) return undefined;
    return { boot: this.#boot.id, monotonic: this.#clock.monotonic() + this.#boot.zero };
  }

  /** The corrected time of an observation. @param observedAt its first estimate, ms since 1970 */
  corrected(observedAt: number, stamp: Stamp | undefined): number {
    const anchor = this.#anchor;
    if (!stamp || stamp.boot !== this.#boot.id || anchor?.whose !== "cloud") return observedAt;
    const known = anchor.wall - (anchor.monotonic + this.#boot.zero - stamp.monotonic);
    return Math.abs(known - observedAt) <= TOLERANCE_MS ? observedAt : known;
  }

  #tell(): ReturnType<typeof tell> {
    return tell(this.#anchor, this.#clock.now(), this.#clock.monotonic());
  }
}
