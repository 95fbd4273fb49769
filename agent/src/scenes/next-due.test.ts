/** When triggers are due: by the clock of the home, on its weekdays, and by the sun. */
import { formatTime, parseTime, ZoneTime } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import { nextDue, type TimedTrigger } from "./next-due.ts";

const BERLIN = { latitude: 52.52, longitude: 13.405 };
const at = (text: string) => parseTime(text) ?? Number.NaN;
const inBerlin = (trigger: TimedTrigger, after: string) =>
  nextDue(trigger, { time: ZoneTime.in("Europe/Berlin"), position: BERLIN }, at(after));
const shown = (ms: number | undefined) => (ms === undefined ? undefined : formatTime(ms));

/** The next times after one another. */
function following(trigger: TimedTrigger, after: string, count: number): (string | undefined)[] {
  const times = [];
  for (let from = after; times.length < count; ) {
    const next = shown(inBerlin(trigger, from)?.at);
    times.push(next);
    if (next === undefined) break;
    from = next;
  }
  return times;
}

test.for([
  [{ at: "07:00" }, "2026-01-15 05:59:59Z", "2026-01-15 06:00:00Z", "a second before"],
  [{ at: "07:00" }, "2026-01-15 06:00:00Z", "2026-01-16 06:00:00Z", "at the time itself it is the next one's turn"],
  [{ at: "00:00" }, "2026-01-15 22:59:59Z", "2026-01-15 23:00:00Z", "midnight of the home"],
  [{ at: "07:00", days: ["mon"] }, "2026-01-15 12:00:00Z", "2026-01-19 06:00:00Z", "the next Monday"],
  [{ at: "07:00", days: ["thu"] }, "2026-01-15 06:00:00Z", "2026-01-22 06:00:00Z", "in a week"],
  [{ at: "00:30", days: ["fri"] }, "2026-01-15 23:00:00Z", "2026-01-15 23:30:00Z", "Friday is the home's Friday"],
  [{ at: "07:00", days: ["sat", "sun"] }, "2026-01-17 06:00:00Z", "2026-01-18 06:00:00Z", "from one to the next"],
] as const)("%j after %s is due at %s: %s", ([trigger, after, expected]) => {
  expect(shown(inBerlin({ kind: "time", ...trigger }, after)?.at)).toBe(expected);
});

test("a time that is skipped in spring is due once, when the clock is put forward", () => {
  expect(following({ kind: "time", at: "02:30" }, "2026-03-27 12:00:00Z", 3)).toEqual([
    "2026-03-28 01:30:00Z",
    "2026-03-29 01:00:00Z",
    "2026-03-30 00:30:00Z",
  ]);
});

test("a time that is there twice in autumn is due once, the first time", () => {
  expect(following({ kind: "time", at: "02:30" }, "2026-10-24 12:00:00Z", 2)).toEqual([
    "2026-10-25 00:30:00Z",
    "2026-10-26 01:30:00Z",
  ]);
});

test("the two sides of a skip keep their own names, though they are due at once", () => {
  const skipped = inBerlin({ kind: "time", at: "02:30" }, "2026-03-29 00:00:00Z");
  const next = inBerlin({ kind: "time", at: "03:00" }, "2026-03-29 00:00:00Z");
  expect(skipped?.at).toBe(next?.at);
  expect(skipped?.occurrence).not.toBe(next?.occurrence);
});

test("over ten years a time is due once a day, on every day", () => {
  const trigger = { kind: "time", at: "02:30" } as const;
  const home = { time: ZoneTime.in("Europe/Berlin") };
  const names = new Set<string>();
  let after = at("2026-01-01 00:00:00Z");
  for (let day = 0; day < 3650; day++) {
    const due = nextDue(trigger, home, after);
    if (!due) throw new Error("it is never due");
    expect(due.at - after).toBeLessThanOrEqual(25 * 3_600_000);
    names.add(due.occurrence);
    after = due.at;
  }
  expect(names.size).toBe(3650);
  expect(formatTime(after)).toBe("2035-12-29 01:30:00Z");
});

/** As almanacs have them, to the minute. */
test.for([
  ["sunrise", BERLIN, "2026-06-21 00:00:00Z", "2026-06-21 02:43:00Z", "midsummer in Berlin"],
  ["sunset", BERLIN, "2026-06-21 00:00:00Z", "2026-06-21 19:33:00Z", "midsummer in Berlin"],
  ["sunrise", BERLIN, "2026-12-21 00:00:00Z", "2026-12-21 07:15:00Z", "midwinter in Berlin"],
  ["sunset", BERLIN, "2026-12-21 00:00:00Z", "2026-12-21 14:54:00Z", "midwinter in Berlin"],
  ["sunrise", { latitude: 40.7128, longitude: -74.006 }, "2026-03-20 04:00:00Z", "2026-03-20 10:59:00Z", "New York"],
  ["sunset", { latitude: 40.7128, longitude: -74.006 }, "2026-03-20 04:00:00Z", "2026-03-20 23:08:00Z", "New York"],
  ["sunrise", { latitude: -33.8688, longitude: 151.2093 }, "2026-12-21 13:00:00Z", "2026-12-21 18:41:00Z", "Sydney"],
  ["sunset", { latitude: -33.8688, longitude: 151.2093 }, "2026-12-21 13:00:00Z", "2026-12-22 09:05:00Z", "Sydney"],
] as const)("%s at %j after %s is at %s: %s", ([event, position, after, expected]) => {
  const due = nextDue({ kind: "sun", event }, { position }, at(after));
  expect(Math.abs((due?.at ?? 0) - at(expected))).toBeLessThan(120_000);
});

test.each([-45, 0, 90])("an offset of %i minutes is counted from the event, and it is due once a day", (offset) => {
  const plain = inBerlin({ kind: "sun", event: "sunset" }, "2026-06-20 00:00:00Z")?.at ?? 0;
  const moved = inBerlin({ kind: "sun", event: "sunset", offsetMinutes: offset }, "2026-06-20 00:00:00Z");
  expect((moved?.at ?? 0) - plain).toBe(offset * 60_000);
  const next = nextDue({ kind: "sun", event: "sunset", offsetMinutes: offset }, { position: BERLIN }, moved?.at ?? 0);
  expect(Math.abs((next?.at ?? 0) - (moved?.at ?? 0) - 86_400_000)).toBeLessThan(300_000);
});

test("the sun's weekday is that of the home on which it rises or sets, with any offset", () => {
  const after = "2026-06-18 12:00:00Z";
  const sunset = inBerlin({ kind: "sun", event: "sunset", days: ["sun"], offsetMinutes: 300 }, after);
  // Sunset of Sunday the 21st, and five hours: by then it is Monday.
  expect(shown(sunset?.at)).toBe("2026-06-22 00:33:19Z");
  const sunrise = inBerlin({ kind: "sun", event: "sunrise", days: ["wed"] }, after);
  expect(shown(sunrise?.at)?.slice(0, 16)).toBe("2026-06-24 02:43");
  const anywhere = { kind: "sun", event: "sunset", days: ["sun"] } as const;
  expect(nextDue(anywhere, { position: BERLIN }, at(after))).toBeUndefined();
});

test.each([-179.9, -170, 0, 170, 178, 179.9])(
  "at longitude %f every sunrise of a year has a name of its own",
  (longitude) => {
    const home = { position: { latitude: 10, longitude } };
    const names = new Set<string>();
    let after = at("2026-01-01 00:00:00Z");
    for (let day = 0; day < 365; day++) {
      const due = nextDue({ kind: "sun", event: "sunrise" }, home, after);
      if (!due) throw new Error("it is never due");
      expect(due.at - after).toBeLessThan(25 * 3_600_000);
      names.add(due.occurrence);
      after = due.at;
    }
    expect(names.size).toBe(365);
  },
);

test("where the sun does not set there is no sunset, until there is one again", () => {
  const tromso = { position: { latitude: 69.65, longitude: 18.96 } };
  const sunset = { kind: "sun", event: "sunset" } as const;
  expect(nextDue(sunset, tromso, at("2026-06-20 00:00:00Z"))).toBeUndefined();
  expect(nextDue(sunset, tromso, at("2026-08-20 00:00:00Z"))?.at).toBeGreaterThan(0);
});

test("without a time zone no time is due, and without a position no sun", () => {
  const after = at("2026-06-20 00:00:00Z");
  expect(nextDue({ kind: "time", at: "07:00" }, { position: BERLIN }, after)).toBeUndefined();
  expect(nextDue({ kind: "sun", event: "sunset" }, { time: ZoneTime.in("UTC") }, after)).toBeUndefined();
});
