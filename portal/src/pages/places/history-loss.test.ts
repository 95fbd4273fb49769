/** The loss that a shorter retention of the history announces. */
import { expect, test } from "vitest";
import { changeOf, deletes, type HistoryChoice, lossOf } from "./history-loss.ts";

const before: HistoryChoice = { enabled: true, rawDays: 10, statisticsDays: 730 };

test.each<[string, Partial<HistoryChoice>, readonly RegExp[], boolean]>([
  ["the same", {}, [], false],
  ["a longer time", { rawDays: 30, statisticsDays: 3660 }, [], false],
  ["a shorter time for changes", { rawDays: 1 }, [/^Every change that is older than 1 day is deleted/], true],
  ["a shorter time for statistics", { statisticsDays: 365 }, [/^All statistics that are older than 365 days/], true],
  ["no more history", { enabled: false }, [/^From now on nothing is recorded/], false],
  ["all of it", { enabled: false, rawDays: 2, statisticsDays: 2 }, [/^From/, /2 days/, /2 days/], true],
])("%s", (_, change, patterns, isDeleted) => {
  const after = { ...before, ...change };
  const sentences = lossOf(before, after);
  expect(sentences).toHaveLength(patterns.length);
  for (const [at, sentence] of sentences.entries()) expect(sentence).toMatch(patterns[at] ?? /^$/);
  expect(deletes(before, after)).toBe(isDeleted);
  expect({ ...before, ...changeOf(before, after) }).toEqual(after);
});

test("turning it on again loses nothing, and only what has changed is sent", () => {
  const off = { ...before, enabled: false };
  expect(lossOf(off, before)).toEqual([]);
  expect(changeOf(off, { ...before, rawDays: 3 })).toEqual({ enabled: true, rawDays: 3 });
});
