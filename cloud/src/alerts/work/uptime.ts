/** Since when the service has been up without a break, as a node that looks in regularly can tell: of what happened before, hubs are not blamed. */

/** A node that has not looked for so long stood still, or had no database. ms. */
const BREAK = 90_000;

export class Uptime {
  readonly #oldestStart: () => number;
  #resumedAt = Number.NEGATIVE_INFINITY;
  #lastLook: number | undefined;

  /** @param oldestStart when the oldest of the living nodes started, wall clock, ms */
  constructor(oldestStart: () => number) {
    this.#oldestStart = oldestStart;
  }

  /** To be called every half minute while the node can do its work. @param monotonic ms @param now wall clock, ms */
  look(monotonic: number, now: number): void {
    if (this.#lastLook !== undefined && monotonic - this.#lastLook > BREAK) this.#resumedAt = now;
    this.#lastLook = monotonic;
  }

  /** Wall clock, ms. */
  get since(): number {
    return Math.max(this.#oldestStart(), this.#resumedAt);
  }
}
