import { expect, test } from "vitest";
import { RESTART_MS, restartState } from "./restart-state.ts";

test.each([
  ["nothing was heard yet", 1000, undefined, "restarting"],
  ["the agent of before still answers", 1000, { uptimeMs: 61_000, sinceMs: 1000 }, "restarting"],
  ["a younger agent answers", 9000, { uptimeMs: 2000, sinceMs: 9000 }, "back"],
  ["it stays back when more time passes", 10 * RESTART_MS, { uptimeMs: 2000, sinceMs: 9000 }, "back"],
  ["nothing is heard for too long", RESTART_MS, undefined, "late"],
  ["the agent of before answers for too long", RESTART_MS, { uptimeMs: 5 * RESTART_MS, sinceMs: RESTART_MS }, "late"],
  ["it comes back late", 3 * RESTART_MS, { uptimeMs: 1000, sinceMs: 3 * RESTART_MS }, "back"],
] as const)("%s: %d ms after the question", (_what, sinceMs, heard, expected) => {
  expect(restartState(sinceMs, heard)).toBe(expected);
});
