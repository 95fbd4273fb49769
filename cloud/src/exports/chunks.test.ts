import { describe, expect, it } from "vitest";
import { type ByteRange, CHUNK, inChunks, rangeAsked, readRange } from "./export-store.ts";
import { allOf } from "./zip.fixture.ts";

/** Bytes of which no two near each other are the same. */
const bytesOf = (length: number) => Buffer.from(Uint8Array.from({ length }, (_none, at) => (at * 7 + (at >> 8)) % 251));

async function chunksOf(...lengths: readonly number[]): Promise<Buffer[]> {
  const all = bytesOf(lengths.reduce((sum, length) => sum + length, 0));
  let at = 0;
  const parts = (async function* () {
    for (const length of lengths) {
      yield all.subarray(at, at + length);
      at += length;
    }
  })();
  return allOf(inChunks(parts));
}

describe("an archive in chunks", () => {
  it.each([
    [[], []],
    [[1], [1]],
    [[CHUNK], [CHUNK]],
    [
      [CHUNK - 1, 1, 1],
      [CHUNK, 1],
    ],
    [[3 * CHUNK + 5], [CHUNK, CHUNK, CHUNK, 5]],
    [
      [10, 0, CHUNK],
      [CHUNK, 10],
    ],
  ])("of parts of %j bytes has chunks of %j", async (lengths, chunks) => {
    const made = await chunksOf(...lengths);
    expect(made.map(({ length }) => length)).toEqual(chunks);
    expect(Buffer.concat(made)).toEqual(bytesOf(lengths.reduce((sum, length) => sum + length, 0)));
  });

  const size = 2 * CHUNK + 100;
  it.each<[string, ByteRange]>([
    ["the whole", { first: 0, last: size - 1 }],
    ["the first byte", { first: 0, last: 0 }],
    ["the last byte", { first: size - 1, last: size - 1 }],
    ["one chunk", { first: CHUNK, last: 2 * CHUNK - 1 }],
    ["what begins in one chunk and ends in the next", { first: CHUNK - 3, last: CHUNK + 3 }],
    ["what begins in the middle and goes to the end", { first: CHUNK + 17, last: size - 1 }],
  ])("gives back %s", async (_what, range) => {
    const made = await chunksOf(size);
    const read = await allOf(readRange(range, async (place) => made[place]));
    expect(Buffer.concat(read)).toEqual(bytesOf(size).subarray(range.first, range.last + 1));
  });

  it("that is removed while it is read breaks off, so that a part is not mistaken for the whole", async () => {
    const made = await chunksOf(size);
    const read = readRange({ first: 0, last: size - 1 }, async (place) => (place < 2 ? made[place] : undefined));
    await expect(allOf(read)).rejects.toThrow("removed");
  });
});

describe("the range that is asked for of 1000 bytes", () => {
  it.each<[string | undefined, ByteRange | undefined]>([
    [undefined, undefined],
    ["bytes=0-", { first: 0, last: 999 }],
    ["bytes=100-199", { first: 100, last: 199 }],
    ["bytes=100-5000", { first: 100, last: 999 }],
    ["bytes=-10", { first: 990, last: 999 }],
    ["bytes=-5000", { first: 0, last: 999 }],
    ["bytes=1000-", undefined],
    ["bytes=200-100", undefined],
    ["bytes=-0", undefined],
    ["bytes=-", undefined],
    ["bytes=0-1,5-6", undefined],
    ["lines=0-1", undefined],
    ["bytes=a-b", undefined],
    ["bytes=99999999999999999999-", undefined],
  ])("by %j is %j", (header, range) => {
    expect(rangeAsked(header, 1000)).toEqual(range);
  });
});
