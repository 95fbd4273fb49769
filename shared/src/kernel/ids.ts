/** TypeIDs: `<prefix>_` and a UUIDv7 in 26 characters of lower-case Crockford base32 (TypeID specification 0.3, RFC 9562). */
import type { Clock } from "./time/clock.ts";

/** Prefix and kind of every object that has an ID. */
export const ID_KINDS = {
  acc: "account",
  eco: "ecosystem",
  env: "environment",
  zon: "zone",
  scn: "scene",
  dev: "device",
  usr: "user",
  srv: "server",
  cli: "client",
  whk: "webhook",
  tok: "token",
  cmd: "command",
  evt: "event",
  dlv: "delivery",
  acs: "access entry",
  alt: "alert",
  aud: "audit entry",
  req: "request",
  exp: "export",
} as const;

export type IdPrefix = keyof typeof ID_KINDS;
/** An ID with a known prefix. */
export type Id<P extends IdPrefix = IdPrefix> = `${P}_${string}`;

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const SUFFIX = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Creates IDs that sort in the order in which this instance created them. */
export class IdMaker {
  readonly #clock: Clock;
  readonly #random: Random;
  #millisecond = -1;
  #counter = 0;

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  /** A new ID with this prefix. */
  next<P extends IdPrefix>(prefix: P): Id<P> {
    return `${prefix}_${encode(this.#uuid())}`;
  }

  /**
   * Makes all later IDs, of every kind, sort after `id`, which another maker created: before a restart, or on a machine whose clock is
   * ahead.
   */
  passOver(id: Id): void {
    const at = timeOf(id);
    if (at < this.#millisecond) return;
    this.#millisecond = at;
    this.#counter = 0xfff;
  }

  /** 128 random bits in hex, to salt a digest with. */
  salt(): string {
    return Array.from(this.#random.bytes(16), (byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  /** UUIDv7 whose 12 bits after the time count within a millisecond (RFC 9562, section 6.2, method 1). */
  #uuid(): Uint8Array {
    const now = Math.floor(this.#clock.now());
    if (now > this.#millisecond) {
      this.#millisecond = now;
      this.#counter = Math.floor(this.#random.fraction() * 256);
    } else if (++this.#counter > 0xfff) {
      this.#millisecond += 1;
      this.#counter = 0;
    }
    const uuid = this.#random.bytes(16);
    writeTime(uuid, this.#millisecond);
    uuid[6] = 0x70 | (this.#counter >> 8);
    uuid[7] = this.#counter & 0xff;
    uuid[8] = 0x80 | ((uuid[8] ?? 0) & 0x3f);
    return uuid;
  }
}

/** An ID derived from a digest: equal digests have equal IDs. @param digest its first 16 bytes are used */
export function idOfDigest<P extends IdPrefix>(prefix: P, digest: Uint8Array): Id<P> {
  return `${prefix}_${encode(digest.subarray(0, 16))}`;
}

/** A lower bound for the IDs created at `at` or later: it sorts before them, and after every older ID. @param at wall-clock ms */
export function firstIdOf<P extends IdPrefix>(prefix: P, at: number): Id<P> {
  const uuid = new Uint8Array(16);
  writeTime(uuid, Math.max(0, Math.floor(at)));
  return `${prefix}_${encode(uuid)}`;
}

function writeTime(uuid: Uint8Array, at: number): void {
  for (let byte = 0; byte < 6; byte++) uuid[byte] = Math.floor(at / 2 ** (8 * (5 - byte))) & 0xff;
}

/** Creation time of an ID, wall-clock ms: its first ten characters. */
export function timeOf(id: Id): number {
  return [...id.slice(4, 14)].reduce((time, character) => time * 32 + ALPHABET.indexOf(character), 0);
}

/** The prefix of a well-formed ID; undefined when `text` is no ID. */
export function idPrefix(text: string): IdPrefix | undefined {
  const prefix = text.slice(0, 3);
  if (text[3] !== "_" || !Object.hasOwn(ID_KINDS, prefix) || !SUFFIX.test(text.slice(4))) return undefined;
  return prefix as IdPrefix;
}

/** Whether `text` is a well-formed ID with this prefix. */
export function isId<P extends IdPrefix>(prefix: P, text: string): text is Id<P> {
  return idPrefix(text) === prefix;
}

/** 128 bits as 26 characters, most significant first; the first character carries only three bits. */
function encode(bytes: Uint8Array): string {
  let text = "";
  let carry = 0;
  let bits = 2;
  for (const byte of bytes) {
    carry = (carry << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET[(carry >> bits) & 31];
      carry &= (1 << bits) - 1;
    }
  }
  return text;
}

/** A source of randomness, passed as a parameter: the system's for secrets, a seeded one for repeatable tests. */
export interface Random {
  /** `length` random bytes. */
  bytes(length: number): Uint8Array;
  /** A number in [0, 1). */
  fraction(): number;
}

/** Bytes to request from the system at once: a call for each ID would cost more than the rest of the ID. */
const POOL_BYTES = 4096;

/** Cryptographically strong. */
export const systemRandom: Random = pooled();

function pooled(): Random {
  const pool = new Uint8Array(POOL_BYTES);
  let used = POOL_BYTES;
  const bytes = (length: number) => {
    if (length > POOL_BYTES) return crypto.getRandomValues(new Uint8Array(length));
    if (used + length > POOL_BYTES) {
      crypto.getRandomValues(pool);
      used = 0;
    }
    used += length;
    const given = pool.slice(used - length, used);
    // Erase the bytes that were handed out: they may be part of a secret.
    pool.fill(0, used - length, used);
    return given;
  };
  return { bytes, fraction: () => new DataView(bytes(4).buffer).getUint32(0) / 2 ** 32 };
}

/** Produces the same numbers for the same seed, for ever (mulberry32). Never use it for secrets. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const word = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  return {
    bytes: (length) => Uint8Array.from({ length }, () => word() & 0xff),
    fraction: () => word() / 2 ** 32,
  };
}

/** A whole number in [0, below). */
export function randomInteger(random: Random, below: number): number {
  return Math.floor(random.fraction() * below);
}

/** One of `choices`, each equally likely. */
export function pick<T>(random: Random, choices: readonly [T, ...T[]]): T {
  return choices[randomInteger(random, choices.length)] ?? choices[0];
}
