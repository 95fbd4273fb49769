/** When the clock on the wall shows a time, in zones whose clocks are put forward and back. */
import { expect, test } from "vitest";
import { formatTime, parseTime } from "./written-time.ts";
import { weekdayOf, ZoneTime } from "./zone-time.ts";

const dayOf = (date: string) => (parseTime(`${date} 00:00:00Z`) ?? Number.NaN) / 86_400_000;

function moment(zone: string, date: string, at: string): string | undefined {
  const [hour = 0, minute = 0] = at.split(":").map(Number);
  const ms = ZoneTime.in(zone)?.momentOf(dayOf(date), hour * 60 + minute);
  return ms === undefined ? undefined : formatTime(ms);
}

test.for([
  ["Europe/Berlin", "2026-01-15", "07:00", "2026-01-15 06:00:00Z", "winter"],
  ["Europe/Berlin", "2026-07-15", "07:00", "2026-07-15 05:00:00Z", "summer"],
  ["Europe/Berlin", "2026-03-29", "01:59", "2026-03-29 00:59:00Z", "the last minute before the skip"],
  ["Europe/Berlin", "2026-03-29", "02:00", "2026-03-29 01:00:00Z", "the first that is skipped"],
  ["Europe/Berlin", "2026-03-29", "02:30", "2026-03-29 01:00:00Z", "one that is skipped"],
  ["Europe/Berlin", "2026-03-29", "03:00", "2026-03-29 01:00:00Z", "the next that exists"],
  ["Europe/Berlin", "2026-03-29", "23:59", "2026-03-29 21:59:00Z", "the end of that day"],
  ["Europe/Berlin", "2026-10-25", "02:30", "2026-10-25 00:30:00Z", "one that is there twice: the first"],
  ["Europe/Berlin", "2026-10-25", "03:00", "2026-10-25 02:00:00Z", "after the hour that is there twice"],
  ["America/New_York", "2026-03-08", "02:30", "2026-03-08 07:00:00Z", "a skip west of Greenwich"],
  ["America/New_York", "2026-11-01", "01:30", "2026-11-01 05:30:00Z", "twice west of Greenwich"],
  ["America/Havana", "2026-03-08", "00:30", "2026-03-08 05:00:00Z", "a skip at midnight"],
  ["America/Nuuk", "2026-03-28", "23:30", "2026-03-29 01:00:00Z", "a skip over midnight"],
  ["America/Nuuk", "2026-10-24", "23:30", "2026-10-25 00:30:00Z", "twice before midnight"],
  ["Australia/Lord_Howe", "2026-10-04", "02:15", "2026-10-03 15:30:00Z", "a skip of half an hour"],
  ["Australia/Lord_Howe", "2026-04-05", "01:45", "2026-04-04 14:45:00Z", "half an hour that is there twice"],
  ["Asia/Kathmandu", "2026-06-01", "00:00", "2026-05-31 18:15:00Z", "a zone of quarters, at midnight"],
  ["Pacific/Apia", "2011-12-30", "07:00", undefined, "a day that is skipped"],
  ["Pacific/Apia", "2011-12-29", "23:30", "2011-12-30 09:30:00Z", "the end of the day before it"],
  ["Pacific/Apia", "2011-12-31", "07:00", "2011-12-30 17:00:00Z", "the day after it"],
  ["Pacific/Kiritimati", "2026-01-01", "07:00", "2025-12-31 17:00:00Z", "the earliest zone"],
  ["Pacific/Pago_Pago", "2026-01-01", "07:00", "2026-01-01 18:00:00Z", "the latest zone"],
  ["UTC", "2028-02-29", "12:00", "2028-02-29 12:00:00Z", "a leap day"],
] as const)("in %s on %s %s is at %s: %s", ([zone, date, at, expected]) => {
  expect(moment(zone, date, at)).toBe(expected);
});

test("every minute of two years comes once, in order, at every change of the clock", () => {
  const home = ZoneTime.in("Europe/Berlin");
  const first = dayOf("2026-01-01");
  let last = 0;
  for (let day = first; day < first + 730; day++) {
    // Around the skips of this zone every minute, else one.
    const isNear = [dayOf("2026-03-29"), dayOf("2026-10-25"), dayOf("2027-03-28"), dayOf("2027-10-31")].includes(day);
    for (let minute = 0; minute < 1440; minute += isNear ? 1 : 720) {
      const at = home?.momentOf(day, minute) ?? Number.NaN;
      expect(at).toBeGreaterThanOrEqual(last);
      expect(home?.dayOf(at)).toBe(day);
      last = at;
    }
  }
});

test("a day begins at midnight in the home, not in Greenwich", () => {
  const at = parseTime("2026-07-01 22:30:00Z") ?? 0;
  expect(ZoneTime.in("Europe/Berlin")?.dayOf(at)).toBe(dayOf("2026-07-02"));
  expect(ZoneTime.in("America/New_York")?.dayOf(at)).toBe(dayOf("2026-07-01"));
});

test("days before 1970 are counted too", () => {
  expect(ZoneTime.in("America/New_York")?.dayOf(0)).toBe(-1);
  expect(ZoneTime.in("America/New_York")?.momentOf(-1, 0)).toBe(-19 * 3_600_000);
});

test("weekdays are those of the calendar", () => {
  const days = ["2026-11-26", "2028-02-29", "1970-01-01"];
  expect(days.map((date) => weekdayOf(dayOf(date)))).toEqual(["thu", "tue", "thu"]);
});

test("a zone that the system does not know is none", () => {
  expect(ZoneTime.in("Europe/Atlantis")).toBeUndefined();
});
