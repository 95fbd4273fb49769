/** The sentence above a webhook's deliveries. */
import { expect, test } from "vitest";
import { deliverySummary } from "./delivery-words.ts";

const good = { state: "succeeded", attempt: 1 } as const;
const failing = { state: "pending", attempt: 3 } as const;

test.each([
  [[], false, undefined],
  [[good, good], false, "2 in all: 2 succeeded."],
  [[good, failing, good], false, "3 in all: 2 succeeded, 1 retrying."],
  [
    [good, failing, { state: "failed", attempt: 10 }, { state: "pending", attempt: 0 }],
    true,
    "Newest 4: 1 succeeded, 1 failed, 1 retrying, 1 being sent.",
  ],
] as const)("every delivery is counted once: %j", (all, hasMore, expected) => {
  expect(deliverySummary(all, hasMore)).toBe(expected);
});
