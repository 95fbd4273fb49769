/**
 * Whether a hub knows what time it is: a machine without a battery begins with the time at which it was switched off, or with 1970, and
 * nothing may be called by such a clock.
 */
import type { Clock } from "@porchlight/shared/kernel";
import type { TimeKnown } from "../../state/index.ts";

export interface ClockTrustDeps {
  /** The hub's best knowledge of the time. */
  readonly clock: Clock;
  /** Whose time that is. */
  readonly known: () => TimeKnown;
  /** Whether the machine's own clock has been set since it was switched on; undefined where that cannot be known. */
  readonly isMachineClockSet?: ((now: number) => boolean | undefined) | undefined;
}

/** 1 January 2026: what is earlier than this program is no time. */
const EARLIEST_MS = 1_767_225_600_000;

export class ClockTrust {
  readonly #deps: ClockTrustDeps;
  /** What was set once in this life of the agent stays so. */
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
    // Earlier than a time that has been: it is carried on from there, and how long the hub was off is not known.
    if (source === "guessed") return false;
    this.#isMachineSet ||= isMachineClockSet?.(now) ?? true;
    return this.#isMachineSet;
  }
}
