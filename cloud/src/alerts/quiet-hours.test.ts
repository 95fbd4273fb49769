/** Quiet hours by the clock on the wall, also where it is put forward and back. */
import { parseTime } from "@porchlight/shared/api";
import { describe, expect, it } from "vitest";
import { isQuiet } from "./mailing.ts";

const berlin = (start: string, end: string) => ({ timeZone: "Europe/Berlin", start, end });

describe("quiet hours", () => {
  it.each([
    // Winter: an hour ahead of UTC.
    ["over midnight, a minute before", berlin("22:00", "07:00"), "2026-01-15 20:59:59Z", false],
    ["over midnight, at the start", berlin("22:00", "07:00"), "2026-01-15 21:00:00Z", true],
    ["over midnight, at midnight", berlin("22:00", "07:00"), "2026-01-15 23:00:00Z", true],
    ["over midnight, a minute before the end", berlin("22:00", "07:00"), "2026-01-16 05:59:59Z", true],
    ["over midnight, at the end", berlin("22:00", "07:00"), "2026-01-16 06:00:00Z", false],
    // Summer: two hours ahead.
    ["in summer, at the start", berlin("22:00", "07:00"), "2026-07-15 20:00:00Z", true],
    ["in summer, at the end", berlin("22:00", "07:00"), "2026-07-16 05:00:00Z", false],
    ["within a day", berlin("12:00", "14:00"), "2026-01-15 12:30:00Z", true],
    ["within a day, at midnight", berlin("12:00", "14:00"), "2026-01-15 23:00:00Z", false],
    ["where there are none", null, "2026-01-15 23:00:00Z", false],
    // 2026-03-29: 02:00 becomes 03:00.
    ["the night that is an hour shorter, before the change", berlin("22:00", "02:30"), "2026-03-29 00:59:00Z", true],
    [
      "the night that is an hour shorter, after an end that was left out",
      berlin("22:00", "02:30"),
      "2026-03-29 01:00:00Z",
      false,
    ],
    ["the morning after it", berlin("22:00", "07:00"), "2026-03-29 04:59:00Z", true],
    ["the end of the morning after it", berlin("22:00", "07:00"), "2026-03-29 05:00:00Z", false],
    // 2026-10-25: 03:00 becomes 02:00.
    ["the hour that comes twice, the first time", berlin("22:00", "02:30"), "2026-10-25 00:15:00Z", true],
    ["the hour that comes twice, the second time", berlin("22:00", "02:30"), "2026-10-25 01:15:00Z", true],
    ["the night that is an hour longer, at its end", berlin("22:00", "07:00"), "2026-10-25 05:59:00Z", true],
    ["the night that is an hour longer, after it", berlin("22:00", "07:00"), "2026-10-25 06:00:00Z", false],
    [
      "on the other side of the earth",
      { timeZone: "Pacific/Auckland", start: "22:00", end: "07:00" },
      "2026-01-15 10:00:00Z",
      true,
    ],
  ] as const)("%s", (_title, quiet, at, expected) => {
    expect(isQuiet(quiet, parseTime(at) ?? 0)).toBe(expected);
  });
});
