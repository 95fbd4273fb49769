/** When alerts are mailed. */
import { describe, expect, it } from "vitest";
import { changedSettings, DEFAULT_SETTINGS } from "./alert-settings.ts";
import { BETWEEN_EMAILS, decideMailing } from "./mailing.ts";

const NOW = 1_000_000_000;
const quiet = changedSettings(DEFAULT_SETTINGS, {
  // All day but for a minute, and NOW is not in that.
  quietHours: { timeZone: "UTC", start: "00:01", end: "00:00" },
});
const silent = changedSettings(DEFAULT_SETTINGS, { email: false });

describe("alerts that wait", () => {
  it.each([
    ["the first time", DEFAULT_SETTINGS, null, "send"],
    ["long after the last email", DEFAULT_SETTINGS, NOW - BETWEEN_EMAILS, "send"],
    ["soon after the last email", DEFAULT_SETTINGS, NOW - BETWEEN_EMAILS + 1, "wait"],
    ["after the clock was put back", DEFAULT_SETTINGS, NOW + 1, "send"],
    ["in quiet hours", quiet, null, "wait"],
    ["of an account that wants no emails", silent, null, "drop"],
  ] as const)("%s: %s", (_title, settings, mailedAt, expected) => {
    expect(decideMailing(settings, mailedAt, NOW)).toBe(expected);
  });
});
