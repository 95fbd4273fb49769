/** What is drawn and added up of activity. */
import type { ActivityStep } from "@porchlight/shared/api";
import { expect, test } from "vitest";
import { rateWords, seriesOf, shareWords, totalsOf } from "./activity-series.ts";

const MINUTE = 60_000;
const START = Date.parse("2026-11-25T12:00:00Z");
const NONE = { confirmed: 0, rejected: 0, not_applied: 0, not_sent: 0, unknown: 0, open: 0 };
function step(minute: number, given: Partial<ActivityStep> = {}): ActivityStep {
  const at = (offset: number) => `2026-11-25 12:0${minute + offset}:00Z`;
  return { since: at(0), until: at(1), commands: NONE, ...given };
}

test("a missing step is unknown, and one without commands is empty", () => {
  const { slots, most } = seriesOf([step(0), step(2, { partial: true })], START + 1, START + 3 * MINUTE, MINUTE);
  expect(slots.map(({ at }) => (at - START) / MINUTE)).toEqual([0, 1, 2]);
  expect(slots.map(({ counts }) => counts?.confirmed)).toEqual([0, undefined, 0]);
  expect(slots.map(({ isPartial }) => isPartial)).toEqual([false, false, true]);
  expect(most).toBe(1);
});

test("rejected, not applied and not sent are drawn as one kind, unknown as its own", () => {
  const commands = { ...NONE, confirmed: 5, rejected: 1, not_applied: 2, not_sent: 3, unknown: 4 };
  const { slots, most } = seriesOf([step(0, { commands })], START, START + MINUTE, MINUTE);
  expect(slots[0]?.counts).toEqual({ confirmed: 5, failed: 6, unknown: 4, open: 0 });
  expect(most).toBe(15);
});

test("a rate is of what is known whole, and the rest counts in the sums alone", () => {
  const requests = { status2xx: 3, status3xx: 0, status4xx: 1, status5xx: 0 };
  const busy = { ...NONE, confirmed: 4 };
  const totals = totalsOf(
    [step(0, { commands: busy, requests }), step(1), step(3, { commands: busy, partial: true })],
    MINUTE,
  );
  expect(totals).toMatchObject({ all: 8, perMinute: 2, requests: { all: 4, errors: 1 } });
});

test("a rate of a small part is none", () => {
  const partial = [step(1, { partial: true }), step(2, { partial: true })];
  expect(totalsOf([step(0), ...partial], MINUTE).perMinute).toBeUndefined();
  expect(totalsOf([step(0), step(3), ...partial], MINUTE).perMinute).toBe(0);
});

test("without whole steps there is no rate, and without counted requests none of errors", () => {
  expect(totalsOf([step(0, { partial: true })], MINUTE)).toMatchObject({ perMinute: undefined, requests: undefined });
});

test("rates and shares are short and never rounded to nothing", () => {
  expect([0, 0.0412, 1.25, 340.4, 1234].map(rateWords)).toEqual(["0", "0.041", "1.3", "340", "1,234"]);
  expect([0, 0.0004, 0.125, 1].map(shareWords)).toEqual(["0 %", "less than 0.1 %", "12.5 %", "100 %"]);
});
