/** When two instances of a client are taken for what they are. */
import { expect, it } from "vitest";
import { arrive, type PastTunnel } from "./open-tunnel.ts";

const MINUTE = 60_000;

/** Instances that arrive one after another, each finding the one before it alive, and each stored as it would be. */
function play(arrivals: readonly (readonly [instance: string, at: number])[]) {
  let past: PastTunnel[] = [];
  let duplicates = 0;
  const refused: string[] = [];
  for (const [instance, at] of arrivals) {
    const arrival = arrive(past, past.length > 0, instance, at);
    if (arrival.kind === "refused") {
      refused.push(instance);
      continue;
    }
    const [living, ...older] = past;
    const over = living ? [{ ...living, takenOverAt: at }] : [];
    past = [{ instance, takenOverAt: undefined, kept: arrival.kept }, ...over, ...older];
    if (arrival.duplicate) duplicates += 1;
  }
  return { duplicates, refused, living: past[0]?.instance };
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

it("the one that is kept stays so when its own line breaks and it comes back", () => {
  const fights = [0, 1, 2, 3].map((at) => [at % 2 ? "b" : "a", at] as const);
  expect(play([...fights, ["b", 4], ["a", 5]])).toMatchObject({ duplicates: 1, refused: ["a"], living: "b" });
});

it("an instance that comes when the kept one is gone is let in", () => {
  const kept: PastTunnel = { instance: "b", takenOverAt: undefined, kept: true };
  expect(arrive([kept], false, "a", 10)).toEqual({ kind: "takes_over", duplicate: false, kept: false });
});

it("a connection from before instances were stored says nothing of anybody", () => {
  const old: PastTunnel = { instance: null, takenOverAt: undefined, kept: false };
  expect(arrive([old], true, "a", 10)).toEqual({ kind: "takes_over", duplicate: false, kept: false });
});
