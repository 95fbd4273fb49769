/** A line that damages bytes: drops, flips, duplicates and inserts them, in the same way for the same seed. */
import { type Random, randomInteger } from "@porchlight/shared/kernel";
import type { ByteLink } from "@porchlight/shared/wire";

/** Probabilities for each byte, 0..1; an omitted one is 0. */
export interface Noise {
  readonly drop?: number | undefined;
  readonly flip?: number | undefined;
  readonly double?: number | undefined;
  readonly insert?: number | undefined;
}

/** The same line with noise in both directions. */
export function faultyLink(link: ByteLink, noise: Noise, random: Random): ByteLink {
  return {
    listen: (onBytes, onClosed) => link.listen((bytes) => onBytes(spoil(bytes, noise, random)), onClosed),
    write: (bytes) => link.write(spoil(bytes, noise, random)),
    close: () => link.close(),
  };
}

/** The bytes as a bad line delivers them. */
export function spoil(bytes: Uint8Array, noise: Noise, random: Random): Uint8Array {
  const happens = (chance = 0) => chance > 0 && random.fraction() < chance;
  const spoiled: number[] = [];
  for (const byte of bytes) {
    if (happens(noise.insert)) spoiled.push(randomInteger(random, 256));
    if (happens(noise.drop)) continue;
    const carried = happens(noise.flip) ? byte ^ (1 << randomInteger(random, 8)) : byte;
    spoiled.push(carried);
    if (happens(noise.double)) spoiled.push(carried);
  }
  return Uint8Array.from(spoiled);
}
