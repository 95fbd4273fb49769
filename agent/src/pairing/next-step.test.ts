import { describe, expect, test } from "vitest";
import type { PollAnswer } from "./http-pairing-cloud.ts";
import { afterPoll, firstAsking, type NextStep } from "./pairing.ts";

const GRANT = { clientId: "cli_1", token: "plt_cli_1", environmentId: "env_1" };
const setback = (retryAfterMs = 0) => ({ kind: "setback", detail: "it answered 503", retryAfterMs }) as const;
const ask = (intervalMs: number, misses: number, waitMs: number) =>
  ({ kind: "ask", asking: { intervalMs, misses }, waitMs }) as const;

describe("after a poll", () => {
  test.each<[string, number, number, PollAnswer, NextStep]>([
    [
      "that was approved the hub has its token",
      5000,
      0,
      { kind: "approved", grant: GRANT },
      { kind: "approved", grant: GRANT },
    ],
    ["that was denied it is over", 5000, 0, { kind: "denied" }, { kind: "denied" }],
    ["of a code that has run out there is another", 5000, 0, { kind: "expired" }, { kind: "anew" }],
    ["of an unknown code requests another", 5000, 0, { kind: "unknown" }, { kind: "anew" }],
    ["that is not answered yet it waits the interval", 5000, 3, { kind: "pending" }, ask(5000, 0, 5000)],
    [
      "that was too early it waits five seconds longer, for good",
      5000,
      0,
      { kind: "slow_down", retryAfterMs: 0 },
      ask(10_000, 0, 10_000),
    ],
    [
      "that was too early it waits as long as the cloud asks",
      5000,
      0,
      { kind: "slow_down", retryAfterMs: 17_000 },
      ask(10_000, 0, 17_000),
    ],
    ["that failed it waits twice as long", 5000, 0, setback(), ask(5000, 1, 10_000)],
    ["that failed again it waits twice as long again", 5000, 1, setback(), ask(5000, 2, 20_000)],
    ["that has failed for long it waits a minute", 5000, 50, setback(), ask(5000, 51, 60_000)],
    ["that failed it waits as long as the cloud asks", 5000, 0, setback(120_000), ask(5000, 1, 120_000)],
    ["at a longer interval than a minute it keeps to that", 90_000, 4, setback(), ask(90_000, 5, 90_000)],
  ])("%s", (_title, intervalMs, misses, answer, expected) => {
    expect(afterPoll({ intervalMs, misses }, answer)).toEqual(expected);
  });

  test("a cloud that names no time is not asked in a tight loop", () => {
    expect(firstAsking(0.000_1)).toEqual({ intervalMs: 100, misses: 0 });
    expect(firstAsking(5)).toEqual({ intervalMs: 5000, misses: 0 });
  });
});
