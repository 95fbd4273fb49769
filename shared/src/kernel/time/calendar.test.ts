/** Days and months of time zones that change their clocks, at midnight too. */
import { describe, expect, it } from "vitest";
import { Calendar } from "./zone-time.ts";

const at = (text: string) => Date.parse(text);
const hours = (unit: "day" | "month", zone: string, moment: string) => {
  const calendar = new Calendar(unit, zone);
  const start = calendar.startOf(at(moment));
  return { start: new Date(start).toISOString().slice(0, 16), hours: (calendar.after(start) - start) / 3_600_000 };
};

describe("a day", () => {
  it.each([
    ["of UTC", "UTC", "2026-06-01T13:00Z", "2026-06-01T00:00", 24],
    ["in summer, two hours earlier than in UTC", "Europe/Berlin", "2026-07-01T23:30Z", "2026-07-01T22:00", 24],
    ["on which the clocks go forward", "Europe/Berlin", "2026-03-29T12:00Z", "2026-03-28T23:00", 23],
    ["on which they go back", "Europe/Berlin", "2026-10-25T12:00Z", "2026-10-24T22:00", 25],
    ["that has no midnight begins at one o'clock", "America/Santiago", "2026-09-06T12:00Z", "2026-09-06T04:00", 23],
    ["that shows midnight twice begins with the first", "America/Havana", "2026-11-01T12:00Z", "2026-11-01T04:00", 25],
    ["of a zone with half an hour", "Asia/Kolkata", "2026-01-01T00:00Z", "2025-12-31T18:30", 24],
    ["of a zone with three quarters", "Pacific/Chatham", "2026-06-01T12:00Z", "2026-06-01T11:15", 24],
    ["of a zone that shifts by half an hour", "Australia/Lord_Howe", "2026-04-05T00:00Z", "2026-04-04T13:00", 24.5],
  ])("%s", (_sentence, zone, moment, start, length) => {
    expect(hours("day", zone, moment)).toEqual({ start, hours: length });
  });
});

describe("a month", () => {
  it.each([
    ["in winter and summer", "Europe/Berlin", "2026-03-15T00:00Z", "2026-02-28T23:00", 31 * 24 - 1],
    ["at the end of a year", "UTC", "2026-12-31T23:59Z", "2026-12-01T00:00", 31 * 24],
    ["of a leap year", "UTC", "2028-02-10T00:00Z", "2028-02-01T00:00", 29 * 24],
  ])("%s", (_sentence, zone, moment, start, length) => {
    expect(hours("month", zone, moment)).toEqual({ start, hours: length });
  });

  it("begins when a day begins, for every day of years to come", () => {
    for (const zone of ["Europe/Berlin", "America/Sao_Paulo", "Africa/Cairo", "Asia/Tehran", "Pacific/Apia"]) {
      const calendar = new Calendar("day", zone);
      let start = calendar.startOf(at("2025-01-01T12:00Z"));
      for (let day = 0; day < 800; day++) {
        const next = calendar.after(start);
        expect(next - start).toBeGreaterThan(22 * 3_600_000);
        expect(next - start).toBeLessThan(26 * 3_600_000);
        expect(calendar.startOf(next - 1000)).toBe(start);
        expect(calendar.startOf(next)).toBe(next);
        start = next;
      }
    }
  });

  it("is of no zone that there is not", () => {
    expect(() => new Calendar("day", "Mars/Olympus")).toThrow(RangeError);
  });
});
