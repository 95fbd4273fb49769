import { describe, expect, test } from "vitest";
import type { JournalEntry } from "../state/index.ts";
import { type CommandSituation, decide } from "./decision.ts";

const result = {
  kind: "result",
  n: 7,
  command: "cmd_1",
  device: "00-1B-44-11-3A-B7",
  service: "Switch",
  index: "0",
  property: "on",
  requested: true,
  outcome: "confirmed",
  observedAt: 1,
} as const;

const { device, service, index, property } = result;
const request = { id: "cmd_1", device, service, index, property, value: true };

const good: CommandSituation = {
  now: 100,
  deadline: 200,
  cancelled: false,
  mayTouch: true,
  mayAnswer: true,
  where: "there",
  isDescribed: true,
};
type Situation = Partial<CommandSituation> & { readonly entry?: JournalEntry };
const bad: Situation = { now: 900, cancelled: true, mayTouch: false, where: "gone" };

describe("a command whose turn has come", () => {
  test.each([
    ["is begun when everything allows it", {}, { kind: "begin" }],
    [
      "is answered from the journal when it has ended, however late",
      { ...bad, entry: { kind: "ended", result } },
      { kind: "answer", result },
    ],
    ["is unknown when it was begun and not ended", { ...bad, entry: { kind: "begun", request } }, { kind: "unknown" }],
    [
      "is neither begun nor refused when the caller can get no answer",
      { mayAnswer: false, ...bad },
      { kind: "unheard" },
    ],
    ["is not begun when the caller no longer waits", { cancelled: true }, { kind: "refuse", why: "cancelled" }],
    ["is not begun at its deadline", { now: 200 }, { kind: "refuse", why: "late" }],
    ["is not begun when the lease is not live", { mayTouch: false }, { kind: "refuse", why: "lease" }],
    ["is not begun when the device is gone", { where: "gone" }, { kind: "refuse", why: "unreachable" }],
    [
      "is not begun when the device no longer describes the property",
      { isDescribed: false },
      { kind: "refuse", why: "undescribed" },
    ],
    ["waits for a device that has not been met yet", { where: "unmet" }, { kind: "wait" }],
    ["waits no longer than its deadline", { where: "unmet", now: 200 }, { kind: "refuse", why: "unmet" }],
    [
      "does not wait when the caller no longer waits",
      { where: "unmet", cancelled: true },
      { kind: "refuse", why: "cancelled" },
    ],
    ["does not wait without a live lease", { where: "unmet", mayTouch: false }, { kind: "refuse", why: "lease" }],
  ] as const)("%s", (_title, { entry, ...situation }: Situation, expected) => {
    expect(decide(entry, { ...good, ...situation })).toEqual(expected);
  });
});
