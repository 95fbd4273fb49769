/**
 * How often an address may be tried: log-ins of one account from many places are slowed as those from one place are. Counted
 * alike for an address that nobody has, so that it says nothing.
 */
import { type Clock, NamedError } from "@porchlight/shared/kernel";
import { type BucketRule, TokenBuckets } from "../access/index.ts";
import { emailKey } from "./email-key.ts";

/** Letters with a code that one address is sent in an hour: more is somebody else's doing. */
const LETTERS: BucketRule = { perSecond: 5 / 3600, burst: 5 };

export class Attempts {
  readonly #clock: Clock;
  readonly #passwords: TokenBuckets | undefined;
  readonly #letters: TokenBuckets | undefined;

  /** @param perMinute passwords tried for one address; `off` is no limit, on letters neither */
  constructor(clock: Clock, perMinute: number | "off") {
    this.#clock = clock;
    if (perMinute === "off") return;
    this.#passwords = new TokenBuckets({ perSecond: perMinute / 60, burst: perMinute });
    this.#letters = new TokenBuckets(LETTERS);
  }

  /** Before a password is looked at. @throws "Rate Limit Exceeded" */
  countPassword(email: string): void {
    const taken = this.#passwords?.take(emailKey(email), this.#clock.monotonic());
    if (!taken || taken.admitted) return;
    const { retryAfter } = taken;
    const why = `Too many passwords were tried for this address: come back in ${retryAfter} s.`;
    throw new NamedError("Rate Limit Exceeded", why, { retryAfter });
  }

  /** Whether one more letter with a code may go to the address. */
  mayWrite(email: string): boolean {
    return this.#letters?.take(emailKey(email), this.#clock.monotonic()).admitted ?? true;
  }
}
