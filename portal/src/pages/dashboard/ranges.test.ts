/** The times of a dashboard in words. */
import { expect, test } from "vitest";
import { rangeChoices, rangeWords } from "./cards.ts";

const HOUR = 3_600_000;

test("a time is called as people say it, also one that is none of the usual", () => {
  expect(rangeWords(HOUR)).toBe("last hour");
  expect(rangeWords(168 * HOUR)).toBe("last 7 days");
  expect(rangeWords(6 * HOUR)).toBe("last 6 h");
});

test("the choices have the chosen one, once", () => {
  expect(rangeChoices(undefined)).toHaveLength(5);
  expect(rangeChoices(HOUR)).toHaveLength(5);
  expect(rangeChoices(6 * HOUR).at(-1)).toEqual({ value: String(6 * HOUR), label: "Last 6 h" });
});
