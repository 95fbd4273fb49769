/**
 * How often an address may be tried, counted alike for an unknown one, so that it says nothing, and over all nodes.
 *
 * A guesser is slowed, and others must not suffer for it: each network has its own count of an account, and all networks
 * together have another, so that many of them gain little. Who has proved that the account is theirs is counted alone, and others
 * do not shut them out: a browser that has logged in to it, or a token of it.
 */

import { domainToASCII } from "node:url";
import { type BucketRule, type Clock, isNamed, NamedError, type Random } from "@porchlight/shared/kernel";
import { z } from "zod";
import { type Keyring, SharedLimit, type SharedLimitDeps, TokenBuckets } from "../../access/index.ts";

/** Who tries a password. */
export type TriedBy =
  | {
      readonly kind: "unknown";
      /** Of the address that the request came from. */
      readonly network: string;
    }
  | {
      readonly kind: "known";
      /** Of the browser or the token. */
      readonly id: string;
    };

/** What all unknown browsers together may try at once, in what one of them may; more comes back as slowly as for one. */
const UNKNOWN_BURST = 10;
/** Emails with a code that one address is sent in an hour: more is somebody else's doing. */
const CODE_EMAILS: BucketRule = { perSecond: 5 / 3600, burst: 5 };

export class LogInLimiter {
  readonly #ofOne: CountedLimit | undefined;
  readonly #ofUnknown: CountedLimit | undefined;
  readonly #codeEmails: CountedLimit | undefined;

  /** @param perMinute passwords that one of {@link TriedBy} may try for one address; `off` is no limit, on emails neither */
  constructor(deps: SharedLimitDeps, perMinute: number | "off") {
    if (perMinute === "off") return;
    const perSecond = perMinute / 60;
    this.#ofOne = new CountedLimit(deps, "password", { perSecond, burst: perMinute });
    this.#ofUnknown = new CountedLimit(deps, "passwords of strangers", { perSecond, burst: UNKNOWN_BURST * perMinute });
    this.#codeEmails = new CountedLimit(deps, "letter", CODE_EMAILS);
  }

  /** Before a password is looked at. @throws "Rate Limit Exceeded", "Service Unavailable" */
  async countPassword(email: string, by: TriedBy): Promise<void> {
    const key = emailKey(email);
    await this.#ofOne?.take(`${key} ${by.kind} ${by.kind === "known" ? by.id : by.network}`, tooManyPasswords);
    // Only what the network's own count lets through: a single one never uses this up.
    if (by.kind === "unknown") await this.#ofUnknown?.take(key, tooManyPasswords);
  }

  /** Whether one more email with a code may go to the address. @throws "Service Unavailable" */
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

/** One limit, counted by this node and by all: what this node refuses already is no work for the database. */
class CountedLimit {
  readonly #clock: Clock;
  readonly #here: TokenBuckets;
  readonly #everywhere: SharedLimit;

  constructor(deps: SharedLimitDeps, name: string, rule: BucketRule) {
    this.#clock = deps.clock;
    this.#here = new TokenBuckets(rule);
    this.#everywhere = new SharedLimit(deps, name, rule);
  }

  /** @throws what `refusal` gives, "Service Unavailable" */
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

// Browsers that have logged in to an account before: what each is given to show, and what that says. It is no credential: somebody who
// shows it only has a count of wrong passwords of their own ({@link LogInLimiter}).

/** What a browser is given opens under these words only. */
const PURPOSE = "known browser";
/** It is given a new one at every log-in; the longest that browsers keep one is 400 days, ms. */
const LIFE = 400 * 86_400_000;
/** Accounts of one browser; of more the one that logged in longest ago is forgotten. */
const MOST = 5;

const known = z.strictObject({ id: z.string(), accounts: z.array(z.string()), at: z.number() });
type Known = z.output<typeof known>;

interface KnownBrowsersDeps {
  readonly keyring: Keyring;
  readonly random: Random;
  readonly clock: Clock;
}

export class KnownBrowsers {
  readonly #deps: KnownBrowsersDeps;

  constructor(deps: KnownBrowsersDeps) {
    this.#deps = deps;
  }

  /** ID of the browser, when it has logged in to the account with that address. @param shown what it shows; undefined when nothing */
  idOf(shown: string | undefined, email: string): string | undefined {
    const browser = this.#open(shown);
    return browser?.accounts.includes(emailKey(email)) ? browser.id : undefined;
  }

  /** What it is to show from now on, after a log-in. @param shown what it has shown */
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
    // One that another version has given out is as good as none.
    return browser.success && this.#deps.clock.now() - browser.data.at < LIFE ? browser.data : undefined;
  }
}

// An e-mail address as it is compared: two spellings of one mailbox are one account.

/** Without space around it, in Unicode NFC, without regard to case; a domain in Unicode is its Punycode. */
export function emailKey(email: string): string {
  const plain = email.trim().normalize("NFC").toLowerCase();
  const at = plain.lastIndexOf("@");
  const domain = domainToASCII(plain.slice(at + 1));
  return at < 0 || domain === "" ? plain : `${plain.slice(0, at)}@${domain}`;
}
