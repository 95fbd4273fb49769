/** Which steps a question has, and what is reported of each. */
import { parseTime } from "@porchlight/shared/api";
import { expect, test } from "vitest";
import { activityStepOf, errorRateOf, KEEP_ACTIVITY, type StepFacts, stepsOf } from "./steps.ts";

const MINUTE = 60_000;
const DAY = parseTime("2026-11-25 00:00:00Z") ?? 0;
const at = (hour: number, minute: number) => DAY + (hour * 60 + minute) * MINUTE;
const NOW = at(14, 30) + 20_000;

test.each([
  ["the last hour without parameters", {}, at(13, 30), at(14, 31)],
  ["whole steps around what is asked for", { since: at(14, 0) + 1, until: at(14, 5) + 1 }, at(14, 0), at(14, 6)],
  ["steps at multiples of their length", { stepMinutes: 60, since: at(12, 10) }, at(12, 0), at(15, 0)],
  ["nothing of the future", { since: at(14, 29), until: at(18, 0) }, at(14, 29), at(14, 31)],
  ["no step of a time that is all in the future", { since: at(16, 0), until: at(17, 0) }, at(14, 31), at(14, 31)],
  ["only what is kept", { since: 0, until: at(1, 0) }, Math.ceil((NOW - KEEP_ACTIVITY) / MINUTE) * MINUTE, at(1, 0)],
] as const)("%s", (_title, asked, since, until) => {
  const given = { since: undefined, until: undefined, stepMinutes: 1, ...asked };
  expect(stepsOf(given, NOW)).toEqual({ since, until, step: given.stepMinutes * MINUTE });
});

const COMMANDS = { confirmed: 1, rejected: 0, not_applied: 0, not_sent: 0, unknown: 2, open: 0 };
const NONE = { confirmed: 0, rejected: 0, not_applied: 0, not_sent: 0, unknown: 0, open: 0 };
const REQUESTS = { status2xx: 3, status3xx: 0, status4xx: 1, status5xx: 0 };
const facts = (given: Partial<StepFacts>): StepFacts => ({
  ...{ since: at(12, 0), until: at(12, 1), coverage: "whole", madeAt: 0, now: NOW },
  ...{ commands: undefined, requests: undefined, reportsRequests: true },
  ...given,
});

test.each([
  [
    "a minute in which nothing happened is empty",
    {},
    { commands: NONE, requests: { ...REQUESTS, status2xx: 0, status4xx: 0 } },
  ],
  ["a minute of which nothing is known is left out", { coverage: "none" }, undefined],
  [
    "commands are known also when requests were not counted",
    { coverage: "none", commands: COMMANDS },
    { partial: true, commands: COMMANDS },
  ],
  [
    "what was counted is reported with its rate",
    { requests: REQUESTS },
    { commands: NONE, requests: REQUESTS, errorRate: 0.25 },
  ],
  [
    "what may be more is partial",
    { coverage: "part", requests: REQUESTS },
    { partial: true, commands: NONE, requests: REQUESTS, errorRate: 0.25 },
  ],
  ["one environment reports no requests", { reportsRequests: false, commands: COMMANDS }, { commands: COMMANDS }],
  ["before something was made nothing is known of it", { madeAt: at(12, 1) }, undefined],
  ["nor is the minute whole in which it was made", { madeAt: at(12, 0) + 1 }, { partial: true }],
  ["nor is one that is not over", { now: at(12, 0) + 30_000 }, { partial: true }],
  ["a step of the future is left out", { now: at(11, 59) }, undefined],
] as const)("%s", (_title, given, step) => {
  const shown = activityStepOf(facts(given));
  if (!step) expect(shown).toBeUndefined();
  else expect(shown).toMatchObject({ since: "2026-11-25 12:00:00Z", until: "2026-11-25 12:01:00Z", ...step });
  if (step && !("partial" in step)) expect(shown).not.toHaveProperty("partial");
  if (step && "commands" in step && !("requests" in step)) expect(shown).not.toHaveProperty("requests");
});

test("a rate is that of 4xx and 5xx, and there is none without a request", () => {
  expect(errorRateOf({ status2xx: 2, status3xx: 0, status4xx: 0, status5xx: 1 })).toBe(0.3333);
  expect(errorRateOf({ status2xx: 0, status3xx: 0, status4xx: 0, status5xx: 0 })).toBeUndefined();
});
