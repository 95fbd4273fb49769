/** Passwords: argon2id off the event loop, a few at a time, and the same work for unknown addresses. */

import { readFileSync } from "node:fs";
import { type Algorithm, hash, verify } from "@node-rs/argon2";
import { NamedError, Semaphore } from "@porchlight/shared/kernel";
import type { AccountCaller } from "../access/index.ts";
import type { AccountRow, Store } from "../store/index.ts";
import type { LogInLimiter } from "./log-in-limiter.ts";
import { findAccount } from "./service-queries.ts";

export interface PasswordHasher {
  /** Returns the text to store for a password. */
  hash(password: string): Promise<string>;
  verify(hashed: string, password: string): Promise<boolean>;
}

/** OWASP's first choice: 19 MiB, 2 passes, 1 lane. */
const OPTIONS = { algorithm: 2 satisfies Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Most concurrent hashes: each takes 19 MiB and a core. */
const AT_ONCE = 2;
/** Hashes that may wait, about two seconds of work: beyond that a flood is refused rather than queued. */
const MOST_WAITING = 100;
const MIN_LENGTH = 10;
/** Passwords with fewer different characters are patterns that every guesser tries. */
const MIN_DIFFERENT = 4;
/** A word about the owner counts from this length on; the password must have MIN_BESIDES characters besides it, as around a common word. */
const OWN_WORD = 4;
const MIN_BESIDES = 6;

export const argon2Hasher: PasswordHasher = {
  hash: (password) => hash(password, OPTIONS),
  verify: (hashed, password) => verify(hashed, password),
};

/** Facts about the owner, which a guesser tries early. */
export interface PasswordOwner {
  readonly email: string;
  readonly name?: string | null | undefined;
}

export class Passwords {
  readonly #hasher: PasswordHasher;
  readonly #common = new CommonPasswords();
  /** Hash of no account's password, verified in place of the missing hash of an unknown address. */
  readonly #decoy: string;
  readonly #hashing = new Semaphore(AT_ONCE);

  private constructor(hasher: PasswordHasher, decoy: string) {
    this.#hasher = hasher;
    this.#decoy = decoy;
  }

  static async start(hasher: PasswordHasher): Promise<Passwords> {
    return new Passwords(hasher, await hasher.hash("nobody's password"));
  }

  /** @throws "Password Too Weak", which states what must change */
  requireStrong(password: string, owner: PasswordOwner): void {
    const why = this.#weakness(password, owner);
    if (why !== undefined) throw new NamedError("Password Too Weak", why);
  }

  /** @throws "Service Unavailable" when too many hashes wait */
  hash(password: string): Promise<string> {
    return this.#inTurn(() => this.#hasher.hash(asTyped(password)));
  }

  /**
   * @param hashed undefined for an unknown address: false, after the same work
   * @throws "Service Unavailable" when too many hashes wait
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
    if (this.#hashing.waiting >= MOST_WAITING)
      throw new NamedError("Service Unavailable", "Too many passwords are being checked at the same time.", {
        retryAfter: 2,
      });
    return this.#hashing.run(work);
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

/** Normalises the ways in which keyboards compose characters. */
function asTyped(password: string): string {
  return password.normalize("NFC");
}

/** Common passwords, which guessers try first. */
const LIST = new URL("common-passwords.txt", import.meta.url);
/** Up to so many characters around a common word, such as a year and an exclamation mark, add little strength. */
const MOST_AROUND = 5;

const LOOKS_LIKE: Readonly<Record<string, string>> = {
  ...{ "@": "a", "4": "a", "0": "o", "1": "i", "!": "i", "3": "e", $: "s", "5": "s", "7": "t" },
};

class CommonPasswords {
  #read: ReadonlySet<string> | undefined;

  /** Read when the first password is set: it takes some milliseconds, which would delay every start. */
  get #list(): ReadonlySet<string> {
    this.#read ??= new Set(readFileSync(LIST, "utf8").split("\n").filter(isWord));
    return this.#read;
  }

  /** Whether the password is a common one, also with a few characters around it, with signs in place of letters, or repeated. */
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
    // A text that repeats a piece occurs in its own double before its end.
    const piece = folded.slice(0, (folded + folded).indexOf(folded, 1));
    if (piece.length === folded.length) return false;
    return piece.length < 6 || this.#isListed(piece);
  }
}

function isWord(line: string): boolean {
  return line !== "" && !line.startsWith("#");
}

/** Reduces a password to the form of the list: from the first to the last letter, with letters for lookalike signs. */
function core(folded: string): string {
  return innerOf(folded).replaceAll(/[^a-z]/g, (sign) => LOOKS_LIKE[sign] ?? sign);
}

function innerOf(folded: string): string {
  return folded.replaceAll(/^[^a-z]+|[^a-z]+$/g, "");
}

/** `0123456789`, `zyxwvutsrq`: each character code is one above the previous, or each is one below. */
function isSequence(folded: string): boolean {
  const codes = [...folded].map((character) => character.codePointAt(0) ?? 0);
  const steps = new Set(codes.slice(1).map((code, at) => code - (codes[at] ?? 0)));
  return steps.size === 1 && (steps.has(1) || steps.has(-1));
}

/** Dependencies of {@link requirePassword}, which guards changes that could take the account away from its holder. */
export interface PasswordProofDeps {
  readonly store: Store;
  readonly passwords: Passwords;
  readonly logInLimiter: LogInLimiter;
}

/**
 * Checks that the holder of an account's token also knows its password. Returns the account.
 * @throws "Password Incorrect", "Rate Limit Exceeded"
 */
export async function requirePassword(
  { store, passwords, logInLimiter }: PasswordProofDeps,
  caller: AccountCaller,
  password: string,
): Promise<AccountRow> {
  const account = await findAccount(store, caller.accountId);
  if (!account) throw new NamedError("Token Invalid");
  // The holder of a token has a bucket of their own: strangers cannot lock them out.
  await logInLimiter.countPassword(account.email, { kind: "known", id: caller.tokenId });
  if (!(await passwords.verify(account.password_hash, password))) throw new NamedError("Password Incorrect");
  return account;
}
