/** What pairings and log-ins by code share in the store: a maximum number of rows, unique codes, and the deletion of old rows. */

import { createHash } from "node:crypto";
import {
  type Clock,
  type ErrorName,
  every,
  type Log,
  NamedError,
  type Random,
  type Timer,
} from "@porchlight/shared/kernel";
import { one, type Statement, type Store, type Transaction } from "../store/index.ts";

/** Maximum rows of one kind that are in progress or ended recently: more would make a code easier to guess. */
const MOST = 100_000;
/** How long an ended row is kept, ms: until then the user gets the answer that it was too late. */
const KEEP = 3_600_000;
const SWEEP_EVERY = 600_000;
const SLICE = 500;
/** Attempts to find a code that is not in use. */
const TRIES = 5;

export type PastBound = Statement<{ bound: number }, { expires_at: number }>;
export type DropOld = Statement<{ before: number; slice: number }, unknown>;

/**
 * Stores a row under a new user code. Returns the code.
 * @param insert returns 0 when the code is in use
 * @throws "Service Unavailable" when too many are in progress
 */
export async function storeUnderCode(
  tx: Transaction,
  random: Random,
  pastBound: PastBound,
  insert: (userCode: string) => Promise<number>,
): Promise<string> {
  if (await one(tx.all(pastBound, { bound: MOST - 1 })))
    throw new NamedError("Service Unavailable", "Too many codes are in use at the same time.", { retryAfter: 60 });
  for (let tries = 0; tries < TRIES; tries++) {
    const code = makeUserCode(random);
    if ((await insert(code)) > 0) return code;
  }
  throw new NamedError("Service Unavailable", "No unused code was found.", { retryAfter: 1 });
}

export interface SweepDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
}

/** Deletes rows that ended more than an hour ago, every ten minutes. */
export class OldRows implements AsyncDisposable {
  readonly #timer: Timer;
  #sweeping: Promise<void> = Promise.resolve();

  private constructor(deps: SweepDeps, name: string, dropOld: DropOld) {
    this.#timer = every(deps.clock, name, SWEEP_EVERY, () => {
      this.#sweeping = sweep(deps, name, dropOld);
    });
  }

  /** @param name of the rows, in the plural */
  static start(deps: SweepDeps, name: string, dropOld: DropOld): OldRows {
    return new OldRows(deps, name, dropOld);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer.cancel();
    await this.#sweeping;
  }
}

async function sweep({ store, clock, log }: SweepDeps, name: string, dropOld: DropOld): Promise<void> {
  try {
    const before = clock.now() - KEEP;
    while ((await store.writeService((tx) => tx.run(dropOld, { before, slice: SLICE }))) === SLICE);
  } catch (error) {
    log.warn({ error }, `${name} could not be deleted; will retry`);
  }
}

/** Consonants that are read and typed alike everywhere, and form no words (RFC 8628, section 6.1). */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
/** 20 to the 8th: 34 bits, for a quarter of an hour, against ten wrong attempts a minute by one account. */
const LENGTH = 8;
const FORM = /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/;
/** Largest multiple of 20 that fits a byte: higher values would make some letters likelier than others. */
const FAIR = 240;

/** A user code, which a user types: `WDJB-MJHT`. Only hashes of codes are stored. */
export function makeUserCode(random: Random): string {
  let letters = "";
  while (letters.length < LENGTH) {
    for (const byte of random.bytes(LENGTH)) {
      if (byte < FAIR && letters.length < LENGTH) letters += LETTERS[byte % LETTERS.length];
    }
  }
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** The code in its displayed form, from any spelling. @param error name of the error for text that cannot be a code */
export function readUserCode(text: string, error: ErrorName = "Pairing Code Invalid"): string {
  // A longer text cannot be a code.
  const letters = text.length > 64 ? "" : text.toUpperCase().replaceAll(/[^A-Z0-9]/g, "");
  if (!FORM.test(letters)) throw new NamedError(error);
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/**
 * A device code, which only the hub or program has: 256 bits, of characters that can never be the proof of a tunnel's
 * hello, because a hub signs this text.
 */
export function makeDeviceCode(random: Random): string {
  return Buffer.from(random.bytes(32)).toString("base64url");
}

/** The stored form of a code. */
export function pairingCodeHash(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}

/** The fingerprint that users compare: of the key's SPKI DER, in OpenSSH's notation. @param publicKey base64 */
export function keyFingerprint(publicKey: string): string {
  const digest = createHash("sha256").update(Buffer.from(publicKey, "base64")).digest("base64");
  return `SHA256:${digest.replace(/=+$/, "")}`;
}
