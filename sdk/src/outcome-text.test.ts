/** The four outcomes of a write that was not confirmed, in words. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type FailureOutcome, outcomeText } from "./errors.ts";

const OUTCOMES = ["not_sent", "not_applied", "rejected", "unknown"] as const;

test("each has a word and a meaning of its own, and only what cannot have happened is safe to repeat", () => {
  const texts = OUTCOMES.map((outcome) => outcomeText(outcome));
  expect(new Set(texts.map(({ word }) => word)).size).toBe(4);
  expect(new Set(texts.map(({ meaning }) => meaning)).size).toBe(4);
  expect(texts.map(({ next }) => next.includes("safe to repeat"))).toEqual([true, true, false, false]);
});

test("what never became a command was not sent", () => {
  expect(outcomeText(undefined)).toBe(outcomeText("not_sent"));
});

test.for(["postponed", "constructor"])(
  "the outcome %s of a newer service has its own word, and is not safe to repeat",
  (outcome) => {
    const { word, next } = outcomeText(outcome as FailureOutcome);
    expect([word, next]).toEqual([outcome, outcomeText("unknown").next]);
  },
);

test.for(["docs/api.md", "docs/portal.md"])("%s has the same words", (path) => {
  const text = readFileSync(new URL(`../../${path}`, import.meta.url), "utf8").replace(/\s+/g, " ");
  for (const outcome of OUTCOMES) expect(text).toContain(`*${outcomeText(outcome).word}*`);
});
