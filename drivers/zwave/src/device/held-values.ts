/**
 * Measured values that wait a moment before they are told: whether the unit that is known belongs to the number is certain only when no
 * change of the unit has followed.
 */
import type { Clock, Timer } from "@porchlight/shared/kernel";
import { PAIR_MS } from "../values/node-values.ts";
import { type ValueId, valueKey } from "../values/value-id.ts";

/** A value that comes again and again within its wait is told nevertheless after this time, ms. */
const LONGEST_MS = 1000;

interface Held {
  readonly since: number;
  hasNumber: boolean;
  until: number;
  timer: Timer | undefined;
}

export class HeldValues {
  readonly #clock: Clock;
  readonly #counters: { superseded: number };
  readonly #tell: (id: ValueId) => void;
  readonly #held = new Map<string, Held>();

  /**
   * @param counters count the numbers that a newer one followed before they were told
   * @param tell called once the value is certain
   */
  constructor(clock: Clock, counters: { superseded: number }, tell: (id: ValueId) => void) {
    this.#clock = clock;
    this.#counters = counters;
    this.#tell = tell;
  }

  hold(id: ValueId, what: "number" | "unit"): void {
    const key = valueKey(id);
    const now = this.#clock.monotonic();
    const known = this.#held.get(key);
    if (known) {
      if (what === "number" && known.hasNumber) this.#counters.superseded += 1;
      known.hasNumber ||= what === "number";
      known.until = Math.min(now + PAIR_MS, known.since + LONGEST_MS);
      return;
    }
    const held: Held = { since: now, hasNumber: what === "number", until: now + PAIR_MS, timer: undefined };
    this.#held.set(key, held);
    this.#wait(key, id, held);
  }

  /** Nothing that waits is told. */
  clear(): void {
    for (const { timer } of this.#held.values()) timer?.cancel();
    this.#held.clear();
  }

  #wait(key: string, id: ValueId, held: Held): void {
    const left = held.until - this.#clock.monotonic();
    held.timer = this.#clock.timer("measured value whose unit may follow", left, () => {
      if (this.#clock.monotonic() < held.until) return this.#wait(key, id, held);
      this.#held.delete(key);
      this.#tell(id);
    });
  }
}
