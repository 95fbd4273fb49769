/** How long an agent waits before it tries again. */
import { expect, test } from "vitest";
import { seededRandom } from "../ids.ts";
import { Backoff } from "./backoff.ts";

const policy = { firstMs: 1_000, capMs: 60_000, stableMs: 60_000 };
const longest = { bytes: (length: number) => new Uint8Array(length), fraction: () => 1 };

test("the bound of the wait doubles with each failure and stops at the cap", () => {
  const backoff = new Backoff(policy, longest);
  const waits = Array.from({ length: 8 }, () => backoff.next(0));
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
});

test("the wait is anywhere between nothing and its bound", () => {
  const random = seededRandom(7);
  const waits = Array.from({ length: 1_000 }, () => new Backoff(policy, random).next(0));
  expect(Math.min(...waits)).toBeLessThan(50);
  expect(Math.max(...waits)).toBeGreaterThan(950);
  expect(Math.max(...waits)).toBeLessThan(1_000);
});

test("a link that held for less than the stable time forgives nothing", () => {
  const backoff = new Backoff(policy, longest);
  expect([backoff.next(0), backoff.next(59_999), backoff.next(59_999)]).toEqual([1_000, 2_000, 4_000]);
});

test("a link that held for the stable time starts from the short end again", () => {
  const backoff = new Backoff(policy, longest);
  backoff.next(0);
  backoff.next(0);
  expect([backoff.next(60_000), backoff.next(0)]).toEqual([1_000, 2_000]);
});

test("what the other side asked for comes on top and is never cut short", () => {
  const none = new Backoff(policy, { ...longest, fraction: () => 0 });
  expect(none.next(0, 30_000)).toBe(30_000);
  expect(new Backoff(policy, longest).next(0, 120_000)).toBe(121_000);
});

test("sent away politely, it starts from the short end", () => {
  const backoff = new Backoff(policy, longest);
  for (let failure = 0; failure < 5; failure++) backoff.next(0);
  backoff.reset();
  expect(backoff.next(0)).toBe(1_000);
});

test("of ten thousand that lost something for 5 s all are back within 20 s, however unlucky", () => {
  const random = seededRandom(3);
  const back = Array.from({ length: 10_000 }, () => {
    const backoff = new Backoff(policy, random);
    let tried = 0;
    while (tried < 5_000) tried += backoff.next(0);
    return tried - 5_000;
  });
  expect(Math.max(...back)).toBeLessThan(15_000);
});

test("it goes on for ever without leaving the cap", () => {
  const backoff = new Backoff(policy, longest);
  for (let failure = 0; failure < 5_000; failure++) expect(backoff.next(0)).toBeLessThanOrEqual(60_000);
});
