/** Passwords: argon2id off the event loop, a few at a time, and the same work whether or not there is anybody to check. */

import { readFileSync } from "node:fs";
import { type Algorithm, hash, verify } from "@node-rs/argon2";
import { NamedError } from "@porchlight/shared/kernel";
import type { AccountCaller } from "../../access/index.ts";
import type { AccountRow, Store } from "../../store/index.ts";
import type { LogInLimiter } from "./log-in-limiter.ts";
import { findAccount } from "./service-queries.ts";

export interface PasswordHasher {
  /** What is kept of a password. */
  hash(password: string): Promise<string>;
  verify(hashed: string, password: string): Promise<boolean>;
}

/** OWASP's first choice: 19 MiB, 2 passes, 1 lane. */
const OPTIONS = { algorithm: 2 satisfies Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Hashes at once: each takes 19 MiB and a core. */
const AT_ONCE = 2;
/** Hashes that may wait for their turn, about two seconds of work: past them a flood is refused rather than queued. */
const MOST_WAITING = 100;
const MIN_LENGTH = 10;
/** Fewer different characters than this are a pattern that anybody would try. */
const MIN_DIFFERENT = 4;
/** A word about the owner counts from this length on, and has to leave as many characters as a common word does. */
const OWN_WORD = 4;
const MIN_BESIDES = 6;

export const argon2Hasher: PasswordHasher = {
  hash: (password) => hash(password, OPTIONS),
  verify: (hashed, password) => verify(hashed, password),
};

/** Whose password it must be: what others know of them is tried early. */
export interface PasswordOwner {
  readonly email: string;
  readonly name?: string | null | undefined;
}

export class Passwords {
  readonly #hasher: PasswordHasher;
  readonly #common = new CommonPasswords();
  /** Nobody's: checked in place of the one that an unknown address does not have. */
  readonly #decoy: string;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  private constructor(hasher: PasswordHasher, decoy: string) {
    this.#hasher = hasher;
    this.#decoy = decoy;
  }

  static async start(hasher: PasswordHasher): Promise<Passwords> {
    return new Passwords(hasher, await hasher.hash("nobody's password"));
  }

  /** @throws "Password Too Weak", which says what must be changed */
  requireStrong(password: string, owner: PasswordOwner): void {
    const why = this.#weakness(password, owner);
    if (why !== undefined) throw new NamedError("Password Too Weak", why);
  }

  /** @throws "Service Unavailable" when too many wait */
  hash(password: string): Promise<string> {
    return this.#inTurn(() => this.#hasher.hash(asTyped(password)));
  }

  /**
   * @param hashed undefined for an unknown address: false, after the same work
   * @throws "Service Unavailable" when too many wait
   */
  async verify(hashed: string | undefined, password: string): Promise<boolean> {
    const matches = await this.#inTurn(() => this.#hasher.verify(hashed ?? this.#decoy, asTyped(password)));
    return matches && hashed !== undefined;
  }

  #weakness(password: string, owner: PasswordOwner): string | undefined {
    const characters = [...password];
    if (characters.length < MIN_LENGTH) return "The password must have at least 10 characters.";
    if (new Set(characters).size < MIN_DIFFERENT) return "The password must have at least 4 different characters.";
    if (isAboutOwner(password, owner)) return "The password is too similar to the account's e-mail address or name.";
    if (this.#common.has(password)) return "This password, or one much like it, is too common. Choose another.";
    return undefined;
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting.length >= MOST_WAITING)
      throw new NamedError("Service Unavailable", "Too many passwords are being checked at the same time.", {
        retryAfter: 2,
      });
    if (this.#running >= AT_ONCE) await new Promise<void>((turn) => this.#waiting.push(turn));
    else this.#running += 1;
    try {
      return await work();
    } finally {
      // The place is handed on, so that a request that comes now does not slip in between.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}

function isAboutOwner(password: string, { email, name }: PasswordOwner): boolean {
  const folded = asTyped(password).toLowerCase();
  const [local = "", domain = ""] = email.toLowerCase().split("@");
  const named = asTyped(name ?? "").toLowerCase();
  const words = [email.toLowerCase(), local, domain, ...domain.split("."), named, ...named.split(/\s+/)];
  return words.some((word) => {
    if (word.length < OWN_WORD || !folded.includes(word)) return false;
    return folded.replaceAll(word, "").length < MIN_BESIDES;
  });
}

/** One password, whichever way a keyboard composes its characters. */
function asTyped(password: string): string {
  return password.normalize("NFC");
}

/** Passwords that everybody who guesses tries first: its own file because the list has a source, and its rules are about that list. */
const LIST = new URL("common-passwords.txt", import.meta.url);
/** What stands around a common word, such as a year and an exclamation mark, adds little up to so many characters. */
const MOST_AROUND = 5;

const LOOKS_LIKE: Readonly<Record<string, string>> = {
  ...{ "@": "a", "4": "a", "0": "o", "1": "i", "!": "i", "3": "e", $: "s", "5": "s", "7": "t" },
};

class CommonPasswords {
  #read: ReadonlySet<string> | undefined;

  /** Read when the first password is set: some milliseconds, which no start has to wait for. */
  get #list(): ReadonlySet<string> {
    this.#read ??= new Set(readFileSync(LIST, "utf8").split("\n").filter(isWord));
    return this.#read;
  }

  /** Whether it is a common one, also with something around it, with signs in place of letters, or several times over. */
  has(password: string): boolean {
    const folded = password.normalize("NFKC").toLowerCase();
    return this.#isListed(folded) || this.#isRepeated(folded) || isSequence(folded);
  }

  #isListed(folded: string): boolean {
    if (this.#list.has(folded)) return true;
    const inner = innerOf(folded);
    return folded.length - inner.length <= MOST_AROUND && this.#list.has(core(folded));
  }

  #isRepeated(folded: string): boolean {
    // A text that is a piece several times over is found in its own double before its end.
    const piece = folded.slice(0, (folded + folded).indexOf(folded, 1));
    if (piece.length === folded.length) return false;
    return piece.length < 6 || this.#isListed(piece);
  }
}

function isWord(line: string): boolean {
  return line !== "" && !line.startsWith("#");
}

/** As the list has it: what stands between the first and the last letter, with letters for what looks like one. */
function core(folded: string): string {
  return innerOf(folded).replaceAll(/[^a-z]/g, (sign) => LOOKS_LIKE[sign] ?? sign);
}

function innerOf(folded: string): string {
  return folded.replaceAll(/^[^a-z]+|[^a-z]+$/g, "");
}

/** `0123456789`, `zyxwvutsrq`: each character is one after the one before it, or each is one before. */
function isSequence(folded: string): boolean {
  const codes = [...folded].map((character) => character.codePointAt(0) ?? 0);
  const steps = new Set(codes.slice(1).map((code, at) => code - (codes[at] ?? 0)));
  return steps.size === 1 && (steps.has(1) || steps.has(-1));
}

/** That the holder of an account's token also knows its password: asked before what would take the account away from its holder. */
export interface PasswordProofDeps {
  readonly store: Store;
  readonly passwords: Passwords;
  readonly logInLimiter: LogInLimiter;
}

/** Gives the caller's account. @throws "Password Incorrect", "Rate Limit Exceeded" */
export async function requirePassword(
  { store, passwords, logInLimiter }: PasswordProofDeps,
  caller: AccountCaller,
  password: string,
): Promise<AccountRow> {
  const account = await findAccount(store, caller.accountId);
  if (!account) throw new NamedError("Token Invalid");
  // Who holds a token of the account has a count of their own: strangers cannot shut them out.
  await logInLimiter.countPassword(account.email, { kind: "known", id: caller.tokenId });
  if (!(await passwords.verify(account.password_hash, password))) throw new NamedError("Password Incorrect");
  return account;
}
