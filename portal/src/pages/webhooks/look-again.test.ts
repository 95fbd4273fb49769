import { expect, it } from "vitest";
import { lookAgain } from "./use-deliveries.ts";

const NOW = Date.parse("2026-11-05T14:00:00Z");
const LONG_AGO = NOW - 3_600_000;
const pending = (nextAttemptAt: string) => ({ state: "pending", nextAttemptAt }) as const;

it("is soon after something has happened", () => {
  expect(lookAgain([], NOW, NOW - 100)).toBe(1000);
  expect(lookAgain([], NOW, NOW - 10_000)).toBe(30_000);
});

it("is when the next attempt is due, and while it may last", () => {
  expect(lookAgain([pending("2026-11-05 14:00:05Z"), pending("2026-11-05 19:00:00Z")], NOW, LONG_AGO)).toBe(5000);
  expect(lookAgain([pending("2026-11-05 13:59:55Z")], NOW, LONG_AGO)).toBe(1000);
});

it("is seldom when nothing is to come, or not for long", () => {
  expect(lookAgain([{ state: "succeeded" }], NOW, LONG_AGO)).toBe(30_000);
  expect(lookAgain([pending("2026-11-05 19:00:00Z")], NOW, LONG_AGO)).toBe(30_000);
});

it("does not hurry for what is long overdue, as everything of a service that was away", () => {
  expect(lookAgain([pending("2026-11-05 13:00:00Z")], NOW, LONG_AGO)).toBe(30_000);
});
