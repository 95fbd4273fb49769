import { expect, it } from "vitest";
import { fillOf, megabytes, policyOf, quotaWords } from "./quota-words.ts";

it("a quota's name is read as words", () => {
  expect(quotaWords("devicesPerEnvironment")).toBe("Devices per environment");
  expect(quotaWords("queuedCommandsPerClient")).toBe("Queued commands per client");
});

it("a quota is near from four fifths on, and full at its limit", () => {
  expect([fillOf(79, 100), fillOf(80, 100), fillOf(100, 100), fillOf(101, 100)]).toEqual([
    "plenty",
    "near",
    "full",
    "full",
  ]);
});

it("the policy of the rate limit has the number of requests and the window", () => {
  expect(policyOf('"default";q=400;w=2')).toEqual({ quota: 400, window: 2 });
  expect(policyOf("")).toBeUndefined();
});

it("bytes are read as megabytes", () => {
  expect([0, 1, 49_999, 50_000, 1_250_000, 20_000_000_000].map(megabytes)).toEqual([
    ...["0", "less than 0.1", "less than 0.1", "0.1", "1.3", "20,000.0"],
  ]);
});
