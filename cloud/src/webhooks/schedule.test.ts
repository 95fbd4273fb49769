/** What follows an attempt, case by case, and over the whole schedule. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { afterAttempt, errorOf, type Outcome, standingAfter } from "./schedule.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const answered = (status: number, retryAfter?: number): Outcome => ({ kind: "answered", status, retryAfter });
const broken: Outcome = { kind: "failed", error: "the connection broke" };
const tried = { attempt: 1, now: 1_000, fraction: 0.5, repeats: true };

describe("a delivery", () => {
  it.each([200, 201, 204, 299])("has succeeded with %i", (status) => {
    expect(afterAttempt({ ...tried, outcome: answered(status) })).toEqual({ state: "succeeded" });
    expect(errorOf(answered(status))).toBeUndefined();
  });

  it.each([answered(199), answered(301), answered(400), answered(404), answered(500), broken])(
    "is tried again after %o",
    (outcome) => {
      expect(afterAttempt({ ...tried, outcome })).toEqual({ state: "pending", at: 6_000 });
      expect(errorOf(outcome)).toMatch(/./);
    },
  );

  it("is tried ten times over about 75 hours, and then it has failed", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { minLength: 10, maxLength: 10 }),
        (fractions) => {
          let now = 0;
          const waits: number[] = [];
          for (const [index, fraction] of fractions.entries()) {
            const next = afterAttempt({ outcome: broken, attempt: index + 1, now, fraction, repeats: true });
            if (next.state !== "pending") {
              expect([index, next.state]).toEqual([9, "failed"]);
              break;
            }
            waits.push(next.at - now);
            now = next.at;
          }
          const exact = [5_000, 300_000, 1_800_000, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR)];
          for (const [index, wait] of waits.entries()) {
            expect(wait).toBeGreaterThanOrEqual((exact[index] ?? 0) * 0.9 - 1);
            expect(wait).toBeLessThanOrEqual((exact[index] ?? 0) * 1.1 + 1);
          }
          expect(waits).toHaveLength(9);
        },
      ),
    );
  });

  it.each([429, 503])("waits as long as a receiver asks for with %i, up to a day", (status) => {
    const at = (retryAfter: number) => afterAttempt({ ...tried, outcome: answered(status, retryAfter) });
    expect(at(HOUR)).toEqual({ state: "pending", at: 1_000 + HOUR });
    expect(at(1_000)).toEqual({ state: "pending", at: 6_000 });
    expect(at(365 * DAY)).toEqual({ state: "pending", at: 1_000 + DAY });
    expect(afterAttempt({ ...tried, outcome: answered(500, HOUR) })).toEqual({ state: "pending", at: 6_000 });
  });

  it("is tried once where it must not be repeated, and where the receiver is gone", () => {
    expect(afterAttempt({ ...tried, outcome: broken, repeats: false })).toEqual({ state: "failed" });
    expect(afterAttempt({ ...tried, outcome: answered(410) })).toEqual({ state: "failed" });
  });
});

describe("an endpoint", () => {
  it("is failing since its first failure, until a success", () => {
    expect(standingAfter(broken, null, 5)).toEqual({ failingSince: 5 });
    expect(standingAfter(broken, 5, 6)).toEqual({ failingSince: 5 });
    expect(standingAfter(answered(200), 5, 6)).toEqual({ failingSince: null });
  });

  it("at which nothing has succeeded for five days is disabled, and not a moment before", () => {
    expect(standingAfter(broken, 0, 5 * DAY - 1)).toEqual({ failingSince: 0 });
    expect(standingAfter(broken, 0, 5 * DAY)).toEqual({ failingSince: 0, disable: "failing" });
  });

  it("that answers 410 is disabled at once", () => {
    expect(standingAfter(answered(410), null, 5)).toEqual({ failingSince: 5, disable: "gone" });
  });
});
