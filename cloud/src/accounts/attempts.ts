/**
 * How often an address may be tried: log-ins of one account from many places are slowed as those from one place are. Counted
 * alike for an address that nobody has, so that it says nothing, and over all nodes.
 */
import { type Clock, isNamed, NamedError } from "@porchlight/shared/kernel";
import { type BucketRule, SharedLimit, type SharedLimitDeps, TokenBuckets } from "../access/index.ts";
import { emailKey } from "./email-key.ts";

/** Letters with a code that one address is sent in an hour: more is somebody else's doing. */
const LETTERS: BucketRule = { perSecond: 5 / 3600, burst: 5 };

export class Attempts {
  readonly #clock: Clock;
  readonly #passwords: TokenBuckets | undefined;
  readonly #letters: TokenBuckets | undefined;
  readonly #everywhere: { readonly passwords: SharedLimit; readonly letters: SharedLimit } | undefined;

  /** @param perMinute passwords tried for one address; `off` is no limit, on letters neither */
  constructor(deps: SharedLimitDeps, perMinute: number | "off") {
    this.#clock = deps.clock;
    if (perMinute === "off") return;
    const passwords = { perSecond: perMinute / 60, burst: perMinute };
    this.#passwords = new TokenBuckets(passwords);
    this.#letters = new TokenBuckets(LETTERS);
    this.#everywhere = {
      passwords: new SharedLimit(deps, "password", passwords),
      letters: new SharedLimit(deps, "letter", LETTERS),
    };
  }

  /** Before a password is looked at. @throws "Rate Limit Exceeded", "Service Unavailable" */
  async countPassword(email: string): Promise<void> {
    const key = emailKey(email);
    // What this node refuses already is no work for the database.
    const taken = this.#passwords?.take(key, this.#clock.monotonic());
    if (taken && !taken.admitted) throw tooManyPasswords(taken.retryAfter);
    await this.#everywhere?.passwords.take(key, tooManyPasswords);
  }

  /** Whether one more letter with a code may go to the address. @throws "Service Unavailable" */
  async mayWrite(email: string): Promise<boolean> {
    const key = emailKey(email);
    if (this.#letters?.take(key, this.#clock.monotonic()).admitted === false) return false;
    try {
      await this.#everywhere?.letters.take(
        key,
        (retryAfter) => new NamedError("Rate Limit Exceeded", "", { retryAfter }),
      );
      return true;
    } catch (error) {
      if (isNamed(error, "Rate Limit Exceeded")) return false;
      throw error;
    }
  }
}

function tooManyPasswords(retryAfter: number): NamedError {
  const why = `Too many passwords were tried for this address: come back in ${retryAfter} s.`;
  return new NamedError("Rate Limit Exceeded", why, { retryAfter });
}
