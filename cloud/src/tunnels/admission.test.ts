/** Handshakes are let in at a bounded rate, and whoever is not is told when there will be room. */
import { expect, it } from "vitest";
import { HandshakeBucket } from "./admission.ts";

it("lets in a burst, then so many a second", () => {
  const bucket = new HandshakeBucket(100, 50, 0);
  const admitted = (now: number, tries: number) =>
    Array.from({ length: tries }, () => bucket.take(now)).filter(({ kind }) => kind === "admitted").length;
  expect(admitted(0, 500)).toBe(50);
  expect(admitted(100, 500)).toBe(10);
  expect(admitted(100_000, 500)).toBe(50);
});

it("sends those it refuses to places one after another, a minute at most", () => {
  const bucket = new HandshakeBucket(100, 100, 0);
  const waits = Array.from({ length: 10_000 }, () => bucket.take(0)).flatMap((each) =>
    each.kind === "refused" ? [each.retryAfter] : [],
  );
  expect(waits[0]).toBe(1);
  expect(waits[250]).toBe(3);
  expect(Math.max(...waits)).toBe(60);
});
