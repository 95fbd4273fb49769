/** When two instances of a client are taken for what they are. */
import { expect, it } from "vitest";
import { arrive, NO_REPLACEMENTS, type Replacements } from "./replacements.ts";

const MINUTE = 60_000;

/** Instances that arrive one after another, each finding the one before it alive. */
function play(arrivals: readonly (readonly [instance: string, at: number])[]) {
  let state: Replacements = NO_REPLACEMENTS;
  let living: string | undefined;
  let duplicates = 0;
  const refused: string[] = [];
  for (const [instance, at] of arrivals) {
    const arrival = arrive(state, living, instance, at);
    if (arrival.kind === "refused") {
      refused.push(instance);
      continue;
    }
    state = arrival.state;
    living = instance;
    if (arrival.duplicate) duplicates += 1;
  }
  return { duplicates, refused, living };
}

it.each([
  [
    "one takeover is a reconnect",
    [
      ["a", 0],
      ["b", 1],
    ],
    { duplicates: 0, refused: [] },
  ],
  [
    "the third takeover between two gives them away",
    [
      ["a", 0],
      ["b", 1],
      ["a", 2],
      ["b", 3],
    ],
    { duplicates: 1, living: "b" },
  ],
  [
    "then the newest stays and the other is refused",
    [
      ["a", 0],
      ["b", 1],
      ["a", 2],
      ["b", 3],
      ["a", 4],
      ["a", 5],
    ],
    { refused: ["a", "a"], living: "b" },
  ],
  [
    "a third instance of a client that is kept is refused too",
    [
      ["a", 0],
      ["b", 1],
      ["a", 2],
      ["b", 3],
      ["c", 4],
    ],
    { refused: ["c"] },
  ],
  [
    "takeovers more than 10 minutes apart are forgotten",
    [
      ["a", 0],
      ["b", 6 * MINUTE],
      ["a", 12 * MINUTE],
      ["b", 18 * MINUTE],
    ],
    { duplicates: 0 },
  ],
  [
    "one instance that reconnects is no other",
    [
      ["a", 0],
      ["a", 1],
      ["a", 2],
      ["a", 3],
      ["a", 4],
    ],
    { duplicates: 0, refused: [] },
  ],
  [
    "an agent that restarts is each time another, and never the one before",
    [
      ["a", 0],
      ["b", 1],
      ["c", 2],
      ["d", 3],
      ["e", 4],
    ],
    { duplicates: 0 },
  ],
] as const)("%s", (_sentence, arrivals, expected) => {
  expect(play(arrivals)).toMatchObject(expected);
});

it("whoever comes when the kept one is gone is let in", () => {
  const kept: Replacements = { takeovers: [{ at: 0, from: "a", to: "b" }], kept: "b" };
  expect(arrive(kept, undefined, "a", 10)).toMatchObject({ kind: "takes_over", duplicate: false });
});
