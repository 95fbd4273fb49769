/**
 * Limits how often passwords are tried for an email address, over all nodes, and alike for an unknown address, so that the limit
 * reveals nothing.
 *
 * The limit slows a guesser without locking out the owner. Each network has its own bucket for an account, and all unknown
 * browsers share another, so that many networks gain little. A browser that has logged in before, or a token of the account, has
 * a bucket of its own that others cannot empty.
 */

import { domainToASCII } from "node:url";
import { type BucketRule, type Clock, isNamed, NamedError, type Random } from "@porchlight/shared/kernel";
import { z } from "zod";
import { type Keyring, SharedLimit, type SharedLimitDeps, TokenBuckets } from "../access/index.ts";

/** The party that tries a password. */
export type TriedBy =
  | {
      readonly kind: "unknown";
      /** Network of the request's address. */
      readonly network: string;
    }
  | {
      readonly kind: "known";
      /** ID of the browser or the token. */
      readonly id: string;
    };

/** Burst that all unknown browsers share, as a multiple of a single one's burst; it refills as slowly as a single one's. */
const UNKNOWN_BURST = 10;
/** Emails with a code to one address in an hour: more are not the owner's requests. */
const CODE_EMAILS: BucketRule = { perSecond: 5 / 3600, burst: 5 };

export class LogInLimiter {
  readonly #ofOne: CountedLimit | undefined;
  readonly #ofUnknown: CountedLimit | undefined;
  readonly #codeEmails: CountedLimit | undefined;

  /** @param perMinute passwords that each of {@link TriedBy} may try for one address; `off` removes all limits, on emails too */
  constructor(deps: SharedLimitDeps, perMinute: number | "off") {
    if (perMinute === "off") return;
    const perSecond = perMinute / 60;
    this.#ofOne = new CountedLimit(deps, "password", { perSecond, burst: perMinute });
    this.#ofUnknown = new CountedLimit(deps, "passwords of strangers", { perSecond, burst: UNKNOWN_BURST * perMinute });
    this.#codeEmails = new CountedLimit(deps, "letter", CODE_EMAILS);
  }

  /** Counts a password, before it is checked. @throws "Rate Limit Exceeded", "Service Unavailable" */
  async countPassword(email: string, by: TriedBy): Promise<void> {
    const key = emailKey(email);
    await this.#ofOne?.take(`${key} ${by.kind} ${by.kind === "known" ? by.id : by.network}`, tooManyPasswords);
    // After the network's own bucket: a single network never empties this one.
    if (by.kind === "unknown") await this.#ofUnknown?.take(key, tooManyPasswords);
  }

  /** Counts an email with a code, and returns whether it may be sent. @throws "Service Unavailable" */
  async mayWrite(email: string): Promise<boolean> {
    try {
      await this.#codeEmails?.take(
        emailKey(email),
        (retryAfter) => new NamedError("Rate Limit Exceeded", "", { retryAfter }),
      );
      return true;
    } catch (error) {
      if (isNamed(error, "Rate Limit Exceeded")) return false;
      throw error;
    }
  }
}

/** One limit, counted by this node and by all: a refusal by this node costs no query. */
class CountedLimit {
  readonly #clock: Clock;
  readonly #here: TokenBuckets;
  readonly #everywhere: SharedLimit;

  constructor(deps: SharedLimitDeps, name: string, rule: BucketRule) {
    this.#clock = deps.clock;
    this.#here = new TokenBuckets(rule);
    this.#everywhere = new SharedLimit(deps, name, rule);
  }

  /** @throws what `refusal` returns, "Service Unavailable" */
  async take(key: string, refusal: (retryAfter: number) => NamedError): Promise<void> {
    const taken = this.#here.take(key, this.#clock.monotonic());
    if (!taken.admitted) throw refusal(taken.retryAfter);
    await this.#everywhere.take(key, refusal);
  }
}

function tooManyPasswords(retryAfter: number): NamedError {
  const why = `Too many passwords were tried for this address. Try again in ${retryAfter} s.`;
  return new NamedError("Rate Limit Exceeded", why, { retryAfter });
}

/** Purpose that a browser's cookie is sealed for. The cookie is no credential: it only gives its bearer a separate bucket. */
const PURPOSE = "known browser";
/** Lifetime, ms. Every log-in issues a new cookie; browsers keep one for at most 400 days. */
const LIFE = 400 * 86_400_000;
/** Accounts remembered for one browser; the account whose log-in is oldest is dropped first. */
const MOST = 5;

const known = z.strictObject({ id: z.string(), accounts: z.array(z.string()), at: z.number() });
type Known = z.output<typeof known>;

interface KnownBrowsersDeps {
  readonly keyring: Keyring;
  readonly random: Random;
  readonly clock: Clock;
}

/** Recognises browsers that have logged in to an account before, by a sealed cookie that each log-in sets. */
export class KnownBrowsers {
  readonly #deps: KnownBrowsersDeps;

  constructor(deps: KnownBrowsersDeps) {
    this.#deps = deps;
  }

  /** ID of the browser, if it has logged in to the account with that address. @param shown value of its cookie; undefined without one */
  idOf(shown: string | undefined, email: string): string | undefined {
    const browser = this.#open(shown);
    return browser?.accounts.includes(emailKey(email)) ? browser.id : undefined;
  }

  /** The cookie's new value after a log-in. @param shown its value before */
  remember(shown: string | undefined, email: string): string {
    const { keyring, random, clock } = this.#deps;
    const before = this.#open(shown);
    const key = emailKey(email);
    const browser: Known = {
      id: before?.id ?? Buffer.from(random.bytes(12)).toString("hex"),
      accounts: [key, ...(before?.accounts ?? []).filter((account) => account !== key)].slice(0, MOST),
      at: clock.now(),
    };
    return keyring.seal(PURPOSE, JSON.stringify(browser));
  }

  #open(shown: string | undefined): Known | undefined {
    const text = shown === undefined ? undefined : this.#deps.keyring.open(PURPOSE, shown);
    if (text === undefined) return undefined;
    const browser = known.safeParse(JSON.parse(text));
    // A cookie from another version of the format is ignored.
    return browser.success && this.#deps.clock.now() - browser.data.at < LIFE ? browser.data : undefined;
  }
}

/**
 * The form in which email addresses are compared: trimmed, in Unicode NFC and lower case, a Unicode domain as Punycode. Two
 * spellings of one mailbox are one account.
 */
export function emailKey(email: string): string {
  const plain = email.trim().normalize("NFC").toLowerCase();
  const at = plain.lastIndexOf("@");
  const domain = domainToASCII(plain.slice(at + 1));
  return at < 0 || domain === "" ? plain : `${plain.slice(0, at)}@${domain}`;
}
