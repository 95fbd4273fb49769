/** What an email about alerts says, and in which time zone. */
import { parseTime } from "@porchlight/shared/api";
import { describe, expect, it } from "vitest";
import { alertEmail } from "./mailing.ts";

const at = (time: string) => parseTime(time) ?? Number.NaN;
const URL = "https://home.example";
const OFFLINE = { text: "Hub “attic” has been offline since 2026-11-25 11:14:03Z.", at: at("2026-11-25 11:24:30Z") };
const AGAIN = { text: "Hub “attic” has been online again since 2026-11-25 23:05:00Z.", at: at("2026-11-25 23:05:20Z") };

describe("an email about alerts", () => {
  it("shows times in UTC when the account has no time zone", () => {
    expect(alertEmail({ url: URL, timeZone: undefined, opened: [OFFLINE], ended: [] })).toEqual({
      subject: "Alert: Hub “attic” has been offline since 25 November 2026, 11:14 UTC.",
      text: `Alerts of your account at
https://home.example

Opened:
- 25 November 2026, 11:24 UTC: Hub “attic” has been offline since 25 November 2026, 11:14 UTC.

See all alerts and change alert settings: https://home.example/alerts
`,
    });
  });

  it("shows times in the account's time zone", () => {
    const { subject, text } = alertEmail({ url: URL, timeZone: "Europe/Berlin", opened: [OFFLINE], ended: [AGAIN] });
    expect(subject).toBe("Alerts: 1 opened, 1 ended");
    expect(text).toContain(
      "- 25 November 2026, 12:24 CET: Hub “attic” has been offline since 25 November 2026, 12:14 CET.",
    );
    expect(text).toContain(
      "- 26 November 2026, 00:05 CET: Hub “attic” has been online again since 26 November 2026, 00:05 CET.",
    );
  });

  it("leaves a time in a name as people wrote it", () => {
    const opened = [{ text: "Hub “2026-11-25 11:14:03Z” has never connected.", at: OFFLINE.at }];
    expect(alertEmail({ url: URL, timeZone: undefined, opened, ended: [] }).subject).toBe(
      "Alert: Hub “2026-11-25 11:14:03Z” has never connected.",
    );
  });

  it("about one end has it in its subject", () => {
    const { subject } = alertEmail({ url: URL, timeZone: undefined, opened: [], ended: [AGAIN] });
    expect(subject).toBe("Alert ended: Hub “attic” has been online again since 25 November 2026, 23:05 UTC.");
  });

  it("about several counts them, and lists fifty of each", () => {
    const many = Array.from({ length: 60 }, (_none, at) => ({ ...OFFLINE, text: `Number ${at}.` }));
    const back = { ...AGAIN, text: "It is back." };
    const { subject, text } = alertEmail({ url: URL, timeZone: undefined, opened: many, ended: [back] });
    expect(subject).toBe("Alerts: 60 opened, 1 ended");
    expect(text).toContain("Number 49.\nand 10 more\n\nEnded:\n");
    expect(text).not.toContain("Number 50.");
  });

  it("takes no line from a name", () => {
    const opened = [{ ...OFFLINE, text: "Hub “a\nBcc: b@example.com” is away." }];
    const { subject, text } = alertEmail({ url: URL, timeZone: undefined, opened, ended: [] });
    expect(subject).toBe("Alert: Hub “a Bcc: b@example.com” is away.");
    expect(text).not.toContain("\nBcc:");
  });
});
