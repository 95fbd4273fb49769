/**
 * Browsers that have logged in to an account before: what each is given to show, and what that says. It is no credential: somebody who
 * shows it only has a count of wrong passwords of their own ({@link LogInLimiter}).
 */
import type { Clock, Random } from "@porchlight/shared/kernel";
import { z } from "zod";
import type { Keyring } from "../../access/index.ts";
import { emailKey } from "./email-key.ts";

/** What a browser is given opens under these words only. */
const PURPOSE = "known browser";
/** It is given a new one at every log-in; the longest that browsers keep one is 400 days, ms. */
const LIFE = 400 * 86_400_000;
/** Accounts of one browser; of more the one that logged in longest ago is forgotten. */
const MOST = 5;

const known = z.strictObject({ id: z.string(), accounts: z.array(z.string()), at: z.number() });
type Known = z.output<typeof known>;

export interface KnownBrowsersDeps {
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
