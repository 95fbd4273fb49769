/** Passwords: argon2id off the event loop, a few at a time, and the same work whether or not there is anybody to check. */
import { type Algorithm, hash, verify } from "@node-rs/argon2";
import { NamedError } from "@porchlight/shared/kernel";
import { CommonPasswords } from "./common-passwords.ts";

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
