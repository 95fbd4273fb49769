/**
 * The smallest that still does it: delta debugging (Zeller and Hildebrandt, 2002) over frames, and then over the bytes of each. Asks;
 * who is asked knows how to try.
 */
import { encodeFrame, FrameReader } from "@porchlight/shared/wire";

/** Whether what is left still does it. */
export type Does<T> = (left: readonly T[]) => Promise<boolean>;

/** Longer than any frame that a fuzzer makes, bytes. */
const LONGEST = 0x10000;

/**
 * Leaves out of a list what is not needed.
 * @param mayTry asked before every try; with false the smallest so far is the result
 */
export async function minimise<T>(list: readonly T[], does: Does<T>, mayTry: () => boolean): Promise<readonly T[]> {
  let smallest = list;
  let pieces = 2;
  while (smallest.length > 1) {
    const size = Math.ceil(smallest.length / pieces);
    const smaller = await firstSmaller(smallest, size, does, mayTry);
    if (smaller === "no more") return smallest;
    if (smaller !== undefined) {
      smallest = smaller;
      pieces = Math.max(2, Math.min(pieces - 1, smallest.length));
    } else if (size === 1) return smallest;
    else pieces = Math.min(smallest.length, pieces * 2);
  }
  return smallest;
}

/** The list without one of its pieces that does it still: the last pieces first, since what does it mostly comes last. */
async function firstSmaller<T>(list: readonly T[], size: number, does: Does<T>, mayTry: () => boolean) {
  for (let from = 0; from < list.length; from += size) {
    const rest = list.toSpliced(from, size);
    if (rest.length === 0) continue;
    if (!mayTry()) return "no more";
    if (await does(rest)) return rest;
  }
  return undefined;
}

/**
 * Leaves bytes out of each input. Of a good frame those of its body, in a frame that is good again, since without one nothing would
 * get past the CRC; of anything else those on the line.
 */
export async function minimiseBytes(
  inputs: readonly Uint8Array[],
  does: Does<Uint8Array>,
  mayTry: () => boolean,
): Promise<readonly Uint8Array[]> {
  let smallest = inputs;
  for (const [at, input] of inputs.entries()) {
    const body = bodyIn(input);
    const made = (left: readonly number[]) => (body ? encodeFrame(Uint8Array.from(left)) : Uint8Array.from(left));
    const left = await minimise([...(body ?? input)], (bytes) => does(smallest.with(at, made(bytes))), mayTry);
    smallest = smallest.with(at, made(left));
  }
  return smallest;
}

/** The body of bytes that are one good frame and no more. */
function bodyIn(input: Uint8Array): Uint8Array | undefined {
  const [event, ...more] = new FrameReader(LONGEST).push(input);
  if (event?.kind !== "frame" || more.length > 0) return undefined;
  return Buffer.compare(encodeFrame(event.body), input) === 0 ? event.body : undefined;
}
