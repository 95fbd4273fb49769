/** Wrong codes are counted by the account that they come from, whichever of its tokens it used: what is guessed right opens somebody's home. */
import { type Clock, NamedError } from "@porchlight/shared/kernel";

/** Over which wrong codes are counted, ms. */
const WINDOW = 60_000;
/** Accounts that are remembered; beyond it the longest known is forgotten. */
const CAPACITY = 10_000;

export class Guesses {
  readonly #clock: Clock;
  readonly #perMinute: number | "off";
  readonly #counts = new Map<string, { wrong: number; readonly until: number }>();

  constructor(clock: Clock, perMinute: number | "off") {
    this.#clock = clock;
    this.#perMinute = perMinute;
  }

  /**
   * Before a code is looked up: counts as wrong until the function that comes back says that it was right, so that many at
   * once are not more than many after each other.
   * @throws "Rate Limit Exceeded"
   */
  begin(account: string): () => void {
    if (this.#perMinute === "off") return () => undefined;
    const now = this.#clock.monotonic();
    const count = this.#countOf(account, now);
    if (count.wrong >= this.#perMinute) {
      const retryAfter = Math.max(1, Math.ceil((count.until - now) / 1000));
      const why = `Too many wrong pairing codes: come back in ${retryAfter} s.`;
      throw new NamedError("Rate Limit Exceeded", why, { retryAfter });
    }
    count.wrong += 1;
    return () => {
      count.wrong -= 1;
    };
  }

  #countOf(account: string, now: number): { wrong: number; readonly until: number } {
    const known = this.#counts.get(account);
    if (known && now < known.until) return known;
    const fresh = { wrong: 0, until: now + WINDOW };
    this.#counts.delete(account);
    for (const oldest of this.#counts.keys()) {
      if (this.#counts.size < CAPACITY) break;
      this.#counts.delete(oldest);
    }
    this.#counts.set(account, fresh);
    return fresh;
  }
}
