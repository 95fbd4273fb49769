/** Splits an archive into chunks of one length for the store, and reads any range back from them. */

/** Bytes of every chunk but the last: 256 KiB as base64, so that the job that stores one takes a few milliseconds. */
export const CHUNK = 192 * 1024;

/** Regroups the bytes into chunks; the last may be shorter. */
export async function* inChunks(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let some: Buffer[] = [];
  let length = 0;
  for await (let part of parts) {
    while (length + part.length >= CHUNK) {
      const rest = CHUNK - length;
      yield Buffer.concat([...some, part.subarray(0, rest)]);
      part = part.subarray(rest);
      some = [];
      length = 0;
    }
    if (part.length === 0) continue;
    some.push(part);
    length += part.length;
  }
  if (length > 0) yield Buffer.concat(some);
}

/** Range of an archive: the offsets of its first and its last byte. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * The bytes of a range.
 * @param read returns the chunk at a place; undefined when it has been deleted
 * @throws Error when a chunk is missing, so that the reader cannot take a truncated archive for the whole
 */
export async function* readRange(
  { first, last }: ByteRange,
  read: (place: number) => Promise<Buffer | undefined>,
): AsyncGenerator<Buffer> {
  for (let at = first; at <= last; ) {
    const place = Math.floor(at / CHUNK);
    const chunk = await read(place);
    const part = chunk?.subarray(at - place * CHUNK, last + 1 - place * CHUNK);
    if (!part || part.length === 0) throw new Error("the archive was removed while it was read");
    yield part;
    at += part.length;
  }
}

const RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/;

/**
 * Parses the single range of a request (RFC 9110, section 14), limited to the archive.
 * @returns undefined for the whole archive: without a range, with one that is not understood, and with one without a byte
 */
export function rangeAsked(header: string | undefined, size: number): ByteRange | undefined {
  const [, from = "", to = ""] = RANGE.exec(header ?? "") ?? [];
  if (from === "" && to === "") return undefined;
  const end = size - 1;
  // A suffix range.
  if (from === "") return Number(to) > 0 ? { first: Math.max(0, size - Number(to)), last: end } : undefined;
  const range = { first: Number(from), last: to === "" ? end : Math.min(Number(to), end) };
  return range.first <= range.last ? range : undefined;
}
