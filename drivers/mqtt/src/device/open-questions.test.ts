import { VirtualClock } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";
import { expect, test } from "vitest";
import { OpenQuestions } from "./open-questions.ts";

type Step = readonly ["ask" | "says", Value?] | readonly ["passes", number];

/** What is made of each message: `news`, `doubtful`, `uncertain`. */
async function verdicts(before: Value | undefined, steps: readonly Step[]) {
  const clock = new VirtualClock();
  const questions = new OpenQuestions(clock);
  let now = before;
  const made: string[] = [];
  for (const [what, of] of steps) {
    if (what === "ask") questions.ask("p", now, Number(of ?? 0));
    else if (what === "passes") await clock.advance(Number(of));
    else {
      const { kind } = questions.judge("p", of ?? null, now);
      if (kind !== "doubtful") now = of;
      made.push(kind);
    }
  }
  return made;
}

test.for<[string, Value | undefined, readonly Step[], readonly string[]]>([
  [
    "news without a question",
    false,
    [
      ["says", true],
      ["says", false],
    ],
    ["news", "news"],
  ],
  [
    "an answer that says the same, and news after it",
    false,
    [["ask"], ["says", false], ["says", true], ["says", false]],
    ["news", "news", "news"],
  ],
  ["an answer that news has overtaken", false, [["ask"], ["says", true], ["says", false]], ["news", "doubtful"]],
  ["news that is like no answer", 10, [["ask"], ["says", 20], ["says", 30]], ["news", "news"]],
  [
    "one answer of one question",
    false,
    [["ask"], ["says", true], ["says", false], ["says", false]],
    ["news", "doubtful", "news"],
  ],
  [
    "two answers of two questions",
    false,
    [["ask"], ["ask"], ["says", true], ["says", false], ["says", false]],
    ["news", "doubtful", "doubtful"],
  ],
  [
    "an answer that is too late to be one",
    false,
    [["ask"], ["says", true], ["passes", 10_000], ["says", false]],
    ["news", "news"],
  ],
  [
    "the first messages, of which one may be the answer",
    undefined,
    [["ask"], ["says", true], ["says", false]],
    ["news", "uncertain"],
  ],
  ["the same after a while", undefined, [["ask"], ["says", true], ["passes", 2000], ["says", false]], ["news", "news"]],
  [
    "the answer that settles a doubt",
    true,
    [
      ["ask", 1],
      ["says", true],
      ["says", true],
    ],
    ["answer", "news"],
  ],
])("%s", async ([, before, steps, expected]) => {
  expect(await verdicts(before, steps)).toEqual(expected);
});

test("a property that changes to and fro is asked three times for one doubt", () => {
  const questions = new OpenQuestions(new VirtualClock());
  questions.ask("p", false);
  let [now, asked] = [false, 0];
  for (let each = 0; each < 20; each += 1) {
    const verdict = questions.judge("p", !now, now);
    if (verdict.kind === "doubtful" || verdict.kind === "uncertain") {
      asked += 1;
      questions.ask("p", now, verdict.depth);
    } else now = !now;
  }
  expect(asked).toBe(3);
});
