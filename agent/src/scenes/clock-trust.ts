/**
 * Whether a hub knows the time: a machine without a battery starts with the time of its last shutdown, or with 1970, and such a clock must
 * not trigger anything.
 */
import type { Clock } from "@porchlight/shared/kernel";
import type { TimeKnown } from "../state/index.ts";

export interface ClockTrustDeps {
  /** The hub's best estimate of the time. */
  readonly clock: Clock;
  /** The source of that time. */
  readonly known: () => TimeKnown;
  /** Whether the machine's own clock has been set since power-on; undefined where that cannot be determined. */
  readonly isMachineClockSet?: ((now: number) => boolean | undefined) | undefined;
}

/** 1 January 2026: a clock that is earlier than this program is wrong. */
const EARLIEST_MS = 1_767_225_600_000;

export class ClockTrust {
  readonly #deps: ClockTrustDeps;
  /** Stays true for this life of the agent once the clock is set. */
  #isMachineSet = false;

  constructor(deps: ClockTrustDeps) {
    this.#deps = deps;
  }

  get isSet(): boolean {
    const { clock, known, isMachineClockSet } = this.#deps;
    const { source, isTold } = known();
    const now = clock.now();
    if (now < EARLIEST_MS) return false;
    if (isTold) return true;
    // The system's clock is earlier than a stored time: the hub continues from that one, without knowing how long it was off.
    if (source === "guessed") return false;
    this.#isMachineSet ||= isMachineClockSet?.(now) ?? true;
    return this.#isMachineSet;
  }
}
