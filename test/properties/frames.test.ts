/** Framing under any bytes at all: never an exception, never more memory than the limit, the next good frame is found. */
import { encodeFrame, type FrameEvent, FrameReader, frameSize } from "@porchlight/shared/wire";
import fc from "fast-check";
import { expect, test } from "vitest";

const LIMIT = 256;
const body = fc.uint8Array({ minLength: 1, maxLength: LIMIT - 2 });
/** Bytes in which the four that SLIP knows are far more frequent than chance has them. */
const noise = fc.array(fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(0xc0, 0xdb, 0xdc, 0xdd)), {
  maxLength: 600,
});

const bodies = (events: FrameEvent[]) => events.flatMap((event) => (event.kind === "frame" ? [event.body] : []));

test("every body comes back as it was, in pieces of any size", () => {
  fc.assert(
    fc.property(fc.array(body, { maxLength: 5 }), fc.integer({ min: 1, max: 64 }), (sent, piece) => {
      const stream = Buffer.concat(sent.map(encodeFrame));
      const reader = new FrameReader(LIMIT);
      const received: Uint8Array[] = [];
      for (let at = 0; at < stream.length; at += piece)
        received.push(...bodies(reader.push(stream.subarray(at, at + piece))));
      expect(received).toEqual(sent);
    }),
  );
});

test("after any noise the next good frame is understood", () => {
  fc.assert(
    fc.property(noise, body, (before, good) => {
      const reader = new FrameReader(LIMIT);
      reader.push(Uint8Array.from(before));
      expect(bodies(reader.push(encodeFrame(good))).at(-1)).toEqual(good);
    }),
    { numRuns: 500 },
  );
});

test("a hundred thousand random bytes give values only, and none longer than the limit", () => {
  fc.assert(
    fc.property(fc.infiniteStream(fc.uint8Array({ minLength: 1000, maxLength: 1000 })), (pieces) => {
      const reader = new FrameReader(LIMIT);
      for (const piece of pieces.take(100)) {
        for (const found of bodies(reader.push(piece))) expect(frameSize(found)).toBeLessThanOrEqual(LIMIT);
      }
    }),
    { numRuns: 1 },
  );
});

test("one wrong bit in a frame is never taken for a good frame", () => {
  fc.assert(
    fc.property(body, fc.nat(), (sent, where) => {
      const frame = encodeFrame(sent);
      const bit = where % (frame.length * 8);
      frame[bit >> 3] = (frame[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      for (const found of bodies(new FrameReader(LIMIT).push(frame))) expect(found).toEqual(sent);
    }),
    { numRuns: 1000 },
  );
});
