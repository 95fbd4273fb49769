import { seededRandom } from "@porchlight/shared/kernel";
import { describe, expect, test } from "vitest";
import type { Ending } from "./ending.ts";
import { Reconnect } from "./reconnect.ts";
import { UPLINK_SETTINGS } from "./uplink.ts";

/** Random that always gives the longest wait, so that the bound can be read off. */
const longest = { ...seededRandom(1), fraction: () => 1 };
const closed = (reason: Extract<Ending, { kind: "closed" }>["reason"], lastedMs = 0, awayMs?: number): Ending => ({
  kind: "closed",
  reason,
  lastedMs,
  awayMs,
});
const waits = (...endings: Ending[]) => {
  const reconnect = new Reconnect(UPLINK_SETTINGS, longest);
  return endings.map((ending) => reconnect.next(ending).ms / 1000);
};

describe("the wait before the next attempt", () => {
  test("doubles from one second to a minute", () => {
    expect(waits(...Array.from({ length: 8 }, () => closed("lost")))).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  });

  test("is any part of its bound, so that hubs do not come in step", () => {
    const random = seededRandom(3);
    const some = Array.from({ length: 50 }, () => new Reconnect(UPLINK_SETTINGS, random).next(closed("lost")).ms);
    expect(Math.min(...some)).toBeLessThan(100);
    expect(Math.max(...some)).toBeGreaterThan(900);
  });

  test("starts from the short end only after a minute of stable link", () => {
    expect(
      waits(closed("lost"), closed("lost"), closed("lost", 59_999), closed("lost", 60_000), closed("lost")),
    ).toEqual([1, 2, 4, 1, 2]);
  });

  test("starts from the short end after a close with code 1012, however short the link was", () => {
    expect(waits(closed("lost"), closed("lost"), closed("restart"), closed("lost"))).toEqual([1, 2, 1, 2]);
  });

  test("is a tenth of a second at most after goaway, and what fails then starts from the short end", () => {
    const away = closed("stopping", 5, 3000);
    const unreachable: Ending = { kind: "unreachable", detail: "connection refused" };
    expect(waits(closed("lost"), closed("lost"), away, unreachable, unreachable, away)).toEqual([1, 2, 0.1, 1, 2, 0.1]);
  });

  test("is a tenth of a second at most after a 503 with a retry-after of 0, and no step up the backoff", () => {
    const on: Ending = { kind: "refused", status: 503, retryAfterMs: 0 };
    expect(waits(closed("lost"), on, on, on, closed("lost"))).toEqual([1, 0.1, 0.1, 0.1, 2]);
    expect(waits({ kind: "refused", status: 503 }, { kind: "refused", status: 503 })).toEqual([1, 2]);
  });

  test("is the backoff's again where nothing comes of coming back at once, until the link was stable for a minute", () => {
    const reconnect = new Reconnect(UPLINK_SETTINGS, longest);
    const on: Ending = { kind: "refused", status: 503, retryAfterMs: 0 };
    for (let times = 0; times < 20; times++) expect(reconnect.next(on).ms).toBe(100);
    expect([1, 2, 3].map(() => reconnect.next(on).ms)).toEqual([1000, 2000, 4000]);
    expect(reconnect.next(closed("stopping", 5, 3000)).ms).toBe(8000);
    expect(reconnect.next(closed("restart", 5)).ms).toBe(16_000);
    expect(reconnect.next(closed("stopping", 60_000, 3000)).ms).toBe(100);
  });

  test.each([
    ["goaway", closed("stopping", 5, 0), 100],
    ["a close with code 1012", closed("restart", 5), 1000],
  ])("is the backoff's again after %s for the twenty-first time in a row", (_, sent, early) => {
    const reconnect = new Reconnect(UPLINK_SETTINGS, longest);
    for (let times = 0; times < 20; times++) expect(reconnect.next(sent).ms).toBe(early);
    const late = [1, 2, 3, 4, 5, 6].map(() => reconnect.next(sent).ms);
    expect(late.at(-1)).toBeGreaterThanOrEqual(32_000);
  });

  test("is at least what retry-after says, up to a quarter of an hour", () => {
    expect(waits({ kind: "refused", status: 503, retryAfterMs: 20_000 })).toEqual([21]);
    expect(waits({ kind: "refused", status: 429, retryAfterMs: 86_400_000 })).toEqual([901]);
    expect(waits({ kind: "refused", status: 401, retryAfterMs: 86_400_000 })).toEqual([900]);
    expect(waits(closed("duplicate", 0, 86_400_000))).toEqual([900]);
  });

  test("doubles for a superseded hub from a minute to fifteen, and is forgiven only after a longer life than that", () => {
    const taken = closed("superseded", 61_000);
    expect(waits(taken, taken, closed("duplicate"), taken, taken, taken)).toEqual([60, 120, 240, 480, 900, 900]);
    expect(waits(taken, taken, closed("superseded", 901_000))).toEqual([60, 120, 60]);
    expect(waits(closed("duplicate", 0, 600_000))).toEqual([600]);
  });

  test.each([closed("wrong_key"), closed("wrong_edge"), closed("token_revoked"), closed("version_unsupported")])(
    "is five minutes where a person has to do something: $reason",
    (ending) => {
      expect(new Reconnect(UPLINK_SETTINGS, longest).next(ending)).toEqual({ reason: "rejected", ms: 300_000 });
    },
  );
});
