/** What is known of each attempt, from what is stored of a delivery. */
import { expect, it } from "vitest";
import { attemptsOf, earlierText } from "./webhook-resource.ts";

const first = {
  ...{ attempt: 1, attempted_at: 0, duration_ms: 7, response_status: 500, error: "non-2xx response" },
  ...{ response: JSON.stringify({ headers: {}, body: "out of order" }), attempt_error: "non-2xx response" },
  earlier_attempts: null,
};
const answered = {
  ...{ number: 1, attemptedAt: "1970-01-01 00:00:00Z", durationMs: 7, responseStatus: 500, error: "non-2xx response" },
  responseStart: "out of order",
};

it("a delivery that has not been tried has none", () => {
  expect(attemptsOf({ ...first, attempt: 0, attempted_at: null })).toEqual([]);
});

it("each attempt is kept as it went, and the last one is the delivery's own", () => {
  const timeout = { attempted_at: 5_000, duration_ms: 15_000, response_status: null, error: "no answer within 15 s" };
  const second = { ...first, attempt: 2, ...timeout, response: null, attempt_error: timeout.error };
  const row = { ...second, earlier_attempts: earlierText(attemptsOf(first)) };
  const failed = { number: 2, attemptedAt: "1970-01-01 00:00:05Z", durationMs: 15_000, error: timeout.error };
  expect(attemptsOf(row)).toEqual([answered, failed]);
  const good = { ...row, attempt: 3, response_status: 204, error: null, attempt_error: null, response: null };
  expect(attemptsOf({ ...good, earlier_attempts: earlierText(attemptsOf(row)) })).toMatchObject([
    answered,
    failed,
    { number: 3, responseStatus: 204 },
  ]);
});

it("the later end of the delivery is not attributed to its last attempt", () => {
  expect(attemptsOf({ ...first, error: "the webhook was disabled" })).toEqual([answered]);
});

it("of deliveries from before attempts were kept, the last one is known", () => {
  expect(attemptsOf({ ...first, attempt: 4, attempt_error: null })).toEqual([{ ...answered, number: 4 }]);
});

it("the stored answer of a receiver is bounded", () => {
  const long = { ...first, response: JSON.stringify({ headers: {}, body: "x".repeat(4096) }) };
  let text: string | null = null;
  for (let attempt = 1; attempt < 100; attempt++)
    text = earlierText(attemptsOf({ ...long, attempt, earlier_attempts: text }));
  expect(text?.length).toBeLessThan(12_000);
  expect(JSON.parse(text ?? "[]").at(-1)).toMatchObject({ number: 99 });
});
