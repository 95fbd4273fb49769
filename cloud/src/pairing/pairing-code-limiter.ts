/** Wrong codes are counted by the account that they come from, whichever of its tokens it used: what is guessed right opens somebody's home. */
import { BoundedMap, NamedError } from "@porchlight/shared/kernel";
import { SharedLimit, type SharedLimitDeps } from "../access/index.ts";

/** Over which wrong codes are counted, ms. */
const WINDOW = 60_000;
/** Accounts that are remembered; beyond it the longest known is forgotten. */
const CAPACITY = 10_000;

export class PairingCodeLimiter {
  readonly #clock: SharedLimitDeps["clock"];
  readonly #perMinute: number | "off";
  readonly #everywhere: SharedLimit | undefined;
  readonly #counts = new BoundedMap<string, { wrong: number; readonly until: number }>(CAPACITY);

  constructor(deps: SharedLimitDeps, perMinute: number | "off") {
    this.#clock = deps.clock;
    this.#perMinute = perMinute;
    if (perMinute === "off") return;
    this.#everywhere = new SharedLimit(deps, "pairing", { perSecond: perMinute / 60, burst: perMinute });
  }

  /**
   * Before a code is looked up: counts as wrong until the function that comes back says that it was right, so that many at
   * once are not more than many after each other.
   * @throws "Rate Limit Exceeded", "Service Unavailable"
   */
  async begin(account: string): Promise<() => Promise<void>> {
    if (this.#perMinute === "off") return async () => undefined;
    const now = this.#clock.monotonic();
    const count = this.#countOf(account, now);
    if (count.wrong >= this.#perMinute) throw tooMany(Math.max(1, Math.ceil((count.until - now) / 1000)));
    count.wrong += 1;
    await this.#everywhere?.take(account, tooMany);
    return async () => {
      count.wrong -= 1;
      await this.#everywhere?.giveBack(account);
    };
  }

  #countOf(account: string, now: number): { wrong: number; readonly until: number } {
    const known = this.#counts.get(account);
    if (known && now < known.until) return known;
    const fresh = { wrong: 0, until: now + WINDOW };
    this.#counts.set(account, fresh);
    return fresh;
  }
}

function tooMany(retryAfter: number): NamedError {
  return new NamedError("Rate Limit Exceeded", `Too many wrong codes. Try again in ${retryAfter} s.`, {
    retryAfter,
  });
}
