/** When alerts are mailed, and what the email says. */
import { parseTime } from "@porchlight/shared/api";
import { describe, expect, it } from "vitest";
import { alertEmail } from "./email-text.ts";
import { BETWEEN_EMAILS, decideMailing } from "./mailing.ts";
import { changedSettings, DEFAULT_SETTINGS } from "./settings.ts";

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

describe("the email", () => {
  const url = "https://porchlight.example";
  const told = (text: string) => ({ text, at: parseTime("2026-01-02 03:04:05Z") ?? 0 });

  it("of one alert has it in its subject", () => {
    expect(alertEmail(url, [told("Hub “attic” is away.")], [])).toEqual({
      subject: "Alert: Hub “attic” is away.",
      text: `Alerts of your account at
https://porchlight.example

Opened:
- 2026-01-02 03:04:05Z  Hub “attic” is away.

See all alerts and change alert settings: https://porchlight.example/alerts
`,
    });
    expect(alertEmail(url, [], [told("It is back.")]).subject).toBe("Alert ended: It is back.");
  });

  it("of several counts them, and lists fifty of each", () => {
    const many = Array.from({ length: 60 }, (_none, at) => told(`Number ${at}.`));
    const { subject, text } = alertEmail(url, many, [told("It is back.")]);
    expect(subject).toBe("Alerts: 60 opened, 1 ended");
    expect(text).toContain("Number 49.\nand 10 more\n\nEnded:\n");
    expect(text).not.toContain("Number 50.");
  });

  it("takes no line from a name", () => {
    const { subject, text } = alertEmail(url, [told("Hub “a\nBcc: b@example.com” is away.")], []);
    expect(subject).toBe("Alert: Hub “a Bcc: b@example.com” is away.");
    expect(text).not.toContain("\nBcc:");
  });
});
