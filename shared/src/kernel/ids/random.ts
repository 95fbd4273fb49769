/** Randomness as a parameter: the system's for secrets, a seeded one so that a test can be repeated. */

export interface Random {
  /** `length` random bytes. */
  bytes(length: number): Uint8Array;
  /** A number of [0, 1). */
  fraction(): number;
}

/** Bytes asked of the system at once: a call for each ID would cost more than the rest of making it. */
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
    // What has been given must not be found again.
    pool.fill(0, used - length, used);
    return given;
  };
  return { bytes, fraction: () => new DataView(bytes(4).buffer).getUint32(0) / 2 ** 32 };
}

/** The same numbers for the same seed, for ever (mulberry32). Never for secrets. */
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

/** A whole number of [0, below). */
export function randomInteger(random: Random, below: number): number {
  return Math.floor(random.fraction() * below);
}

/** One of `choices`, each equally likely. */
export function pick<T>(random: Random, choices: readonly [T, ...T[]]): T {
  return choices[randomInteger(random, choices.length)] ?? choices[0];
}
