/** Triggers of time and sun on a virtual clock: in time, once, and never late, after any change of the clock. */
import { formatTime, parseTime, VirtualClock, ZoneTime } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import type { TimedTrigger } from "./next-due.ts";
import { TimedTriggers } from "./timed-triggers.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const SEVEN: TimedTrigger = { kind: "time", at: "07:00" };

/** A hub in Berlin, started at that time. */
function start(at: string, triggers: readonly TimedTrigger[] = [SEVEN], isSet = true) {
  const clock = new VirtualClock(parseTime(at));
  const fired: string[] = [];
  const trust = { isSet };
  const timed = new TimedTriggers({
    clock,
    isClockSet: () => trust.isSet,
    due: (owner) => fired.push(`${owner} ${formatTime(clock.now()).slice(11, 19)}`),
  });
  const home = { time: ZoneTime.in("Europe/Berlin"), position: { latitude: 52.52, longitude: 13.405 } };
  const set = (...of: readonly TimedTrigger[]) => {
    timed.set(
      of.map((trigger, index) => ({ owner: `scene${index}`, trigger })),
      home,
    );
  };
  set(...triggers);
  return { clock, fired, timed, set, trust };
}

test("a time fires when it comes, to the second, every day", async () => {
  const { clock, fired } = start("2026-01-15 05:59:00Z");
  await clock.advance(49 * HOUR);
  expect(fired).toEqual(["scene0 06:00:00", "scene0 06:00:00", "scene0 06:00:00"]);
});

test("triggers that are due at once all fire, in the order of their times", async () => {
  const late: TimedTrigger = { kind: "time", at: "07:01" };
  const { clock, fired } = start("2026-01-15 05:59:00Z", [late, SEVEN, SEVEN]);
  await clock.advance(5 * MINUTE);
  expect(fired).toEqual(["scene1 06:00:00", "scene2 06:00:00", "scene0 06:01:00"]);
});

test("in the night in which the clock is put back a time fires once", async () => {
  const { clock, fired } = start("2026-10-24 22:00:00Z", [{ kind: "time", at: "02:30" }]);
  await clock.advance(12 * HOUR);
  expect(fired).toEqual(["scene0 00:30:00"]);
});

test("in the night in which the clock is put forward a skipped time fires once", async () => {
  const { clock, fired } = start("2026-03-28 22:00:00Z", [{ kind: "time", at: "02:30" }]);
  await clock.advance(12 * HOUR);
  expect(fired).toEqual(["scene0 01:00:00"]);
});

test("a hub that was off at the time fires nothing afterwards", async () => {
  const { clock, fired } = start("2026-01-15 06:00:01Z");
  await clock.advance(23 * HOUR);
  expect(fired).toEqual([]);
});

test.for([
  [30 * SECOND, 1, "within a minute"],
  [61 * SECOND, 0, "later than that"],
] as const)("a machine that wakes up %i ms after the time fires it %i times: %s", async ([asleep, times]) => {
  const { clock, fired } = start("2026-01-15 05:59:59Z");
  // Its monotonic clock stands still while it sleeps.
  clock.jumpWall(SECOND + asleep);
  await clock.advance(5 * MINUTE);
  expect(fired).toHaveLength(times);
});

test("a clock that is put forward over many times fires none of them", async () => {
  const { clock, fired } = start("2026-01-10 12:00:00Z");
  clock.jumpWall(5 * 24 * HOUR);
  await clock.advance(MINUTE);
  expect(fired).toEqual([]);
  await clock.advance(24 * HOUR);
  expect(fired).toHaveLength(1);
});

test.each([5 * SECOND, 20 * MINUTE, 6 * HOUR])(
  "a clock that is put back by %i ms after the time does not tell it again",
  async (back) => {
    const { clock, fired } = start("2026-01-15 05:59:00Z");
    await clock.advance(2 * MINUTE);
    clock.jumpWall(-back);
    await clock.advance(back + MINUTE);
    expect(fired).toHaveLength(1);
    await clock.advance(24 * HOUR);
    expect(fired).toHaveLength(2);
  },
);

test("a clock that was years ahead and is corrected fires the times that follow", async () => {
  const { clock, fired } = start("2031-01-15 05:59:00Z");
  await clock.advance(2 * MINUTE);
  clock.jumpWall(-5 * 365 * 24 * HOUR);
  await clock.advance(24 * HOUR);
  expect(fired).toHaveLength(2);
});

test("while the time is not known nothing fires, and times that pass meanwhile never do", async () => {
  const { clock, fired, trust, timed } = start("2026-01-15 05:59:00Z", [SEVEN], false);
  expect(timed.next).toBeUndefined();
  await clock.advance(70 * SECOND);
  trust.isSet = true;
  await clock.advance(23 * HOUR);
  expect(fired).toEqual([]);
  await clock.advance(HOUR);
  expect(fired).toHaveLength(1);
});

test("a time that passes while the clock is not trusted does not fire when it is trusted again", async () => {
  const { clock, fired, trust } = start("2026-01-15 05:59:00Z");
  await clock.advance(20 * SECOND);
  trust.isSet = false;
  await clock.advance(45 * SECOND);
  trust.isSet = true;
  await clock.advance(23 * HOUR);
  expect(fired).toEqual([]);
});

test("a trigger that is set just after its time waits for the next day", async () => {
  const { clock, fired, set } = start("2026-01-15 05:59:50Z", []);
  await clock.advance(15 * SECOND);
  set(SEVEN);
  await clock.advance(23 * HOUR);
  expect(fired).toEqual([]);
  await clock.advance(HOUR);
  expect(fired).toHaveLength(1);
});

test("a due trigger fires before other triggers replace it", async () => {
  const { clock, fired, set } = start("2026-01-15 05:59:59Z");
  clock.jumpWall(2 * SECOND);
  set();
  expect(fired).toEqual(["scene0 06:00:01"]);
  await clock.advance(48 * HOUR);
  expect(fired).toHaveLength(1);
});

test("a trigger that stays when others change does not fire again for the same time", async () => {
  const { clock, fired, set } = start("2026-01-15 05:59:00Z");
  await clock.advance(2 * MINUTE);
  clock.jumpWall(-10 * MINUTE);
  set(SEVEN, { kind: "sun", event: "sunset" });
  await clock.advance(HOUR);
  expect(fired).toHaveLength(1);
});

test("sunset fires when the sun sets", async () => {
  const { clock, fired } = start("2026-06-21 12:00:00Z", [{ kind: "sun", event: "sunset", offsetMinutes: -30 }]);
  await clock.advance(12 * HOUR);
  expect(fired).toEqual([expect.stringMatching(/^scene0 19:0[2-4]:/)]);
});

test("a hub without such triggers has no timer, and one that ends leaves none", async () => {
  const { clock, set, timed } = start("2026-01-15 05:59:00Z", []);
  expect(clock.pending()).toEqual([]);
  set(SEVEN);
  expect(clock.pending()).toHaveLength(1);
  timed[Symbol.dispose]();
  expect(clock.pending()).toEqual([]);
  set(SEVEN);
  expect(clock.pending()).toEqual([]);
});
