/** Derives a random source for each part of a simulation from one seed, so that the draws of one part do not affect another. */
import { type Random, seededRandom } from "@porchlight/shared/kernel";

/** The random source of the named part: the same for the same seed and name, for ever. */
export function randomOf(seed: number, name: string): Random {
  // FNV-1a, 32 bits.
  let hash = 0x811c9dc5 ^ seed;
  for (const byte of new TextEncoder().encode(name)) hash = Math.imul(hash ^ byte, 0x01000193);
  return seededRandom(Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d));
}
