/** Alerts in words, and the ways to what they are about. */
import { describe, expect, it } from "vitest";
import { alertText, kindWords, subjectAddress, subjectWords } from "./alert-words.ts";

describe("an alert", () => {
  it.each([
    ["hub_offline", "Hub offline"],
    ["door_open", "door open"],
  ])("of the kind %s is called %s", (kind, words) => expect(kindWords(kind)).toBe(words));

  it.each([
    ["hub", "Show hub", "/environments/env_1/hubs/x"],
    ["device", "Show device", "/environments/env_1/devices/x"],
    ["webhook", "Show webhook", "/ecosystems/eco_1/webhooks/x"],
    ["quota", "Show usage", "/ecosystems/eco_1/usage"],
  ] as const)("of a %s leads to its page", (type, words, address) => {
    expect(subjectWords(type)).toBe(words);
    const subject = { type, id: "x", name: "x" };
    expect(subjectAddress({ subject, environmentId: "env_1", ecosystemId: "eco_1" })).toBe(address);
  });
});

it("times in an alert's text are those of the reader's clock", () => {
  const text = "Hub “attic” has been offline since 25 November 2026, 23:14 UTC.";
  expect(alertText(text, "en-GB", "Europe/Berlin")).toBe("Hub “attic” has been offline since 26 Nov 2026, 00:14.");
  expect(alertText("Quota “devices” is at 9 of 10.")).toBe("Quota “devices” is at 9 of 10.");
});
