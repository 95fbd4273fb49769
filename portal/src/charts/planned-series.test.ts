/** Events since a response continue its series, and nothing is invented. */
import { describe, expect, test } from "vitest";
import { planOf } from "./plan.ts";
import { BEGIN, corners, gap, keyOf, MINUTE, page, raw, series } from "./planned-series.fixture.ts";
import { missesReturn, recordedOf, serviceTimeOf, withLiveChanges } from "./planned-series.ts";

describe("changes since the response", () => {
  const now = BEGIN + 20 * MINUTE;
  const changes = [9, 10, 15].map((minute) => ({ at: BEGIN + minute * MINUTE, value: minute }));

  test("goes on with the line, and nothing stands there twice", () => {
    const whole = withLiveChanges(series({ points: raw([0, 1], [9, 9]) }), changes, [], now);
    expect(corners(planOf(whole, now).drawn).map(([minute]) => minute)).toEqual([0, 9, 10, 15, 20]);
  });

  test("appears once when the response has it by the whole second, and twice when it was reported twice", () => {
    const end = BEGIN + 10 * MINUTE;
    const known = { kind: "event" as const, points: [{ at: serviceTimeOf(end - 1000), value: "press" }] };
    const presses = [end - 600, end + 300].map((time) => ({ at: time, value: "press" }));
    const marks = planOf(withLiveChanges(series(known), presses, [], now), now).drawn;
    expect(marks.kind === "marks" && marks.marks.map(({ at: time }) => time - end)).toEqual([-1000, 300]);
  });

  test("is not put to a time that ended before: what was between is not known", () => {
    const past = page({ points: raw([0, 1]) });
    const [found] = recordedOf([past], keyOf, { from: BEGIN, to: BEGIN + 10 * MINUTE });
    const whole = found && withLiveChanges(found, changes, [], now);
    expect(whole && corners(planOf(whole, now).drawn)).toEqual([
      [0, 1],
      [10, Number.NaN],
    ]);
  });

  test("without events nothing is drawn, and the gap is marked as unknown to this page", () => {
    const whole = withLiveChanges(
      series({ points: raw([0, 1]) }),
      [],
      [{ from: BEGIN + 12 * MINUTE, to: undefined }],
      now,
    );
    expect(whole.gaps).toEqual([{ from: BEGIN + 12 * MINUTE, to: now, reason: "not_received" }]);
    expect(corners(planOf(whole, now).drawn)).toEqual([
      [0, 1],
      [12, Number.NaN],
    ]);
  });

  test("what the answer has of a time is not made unknown by this page", () => {
    const unknown = [{ from: BEGIN + 2 * MINUTE, to: BEGIN + 8 * MINUTE }];
    expect(withLiveChanges(series({}), [], unknown, now).gaps).toEqual([]);
  });

  test("an open gap goes on until now, or until the next report", () => {
    const given = series({ points: raw([0, 1]), gaps: [gap(4, undefined)] });
    expect(withLiveChanges(given, [], [], now).gaps[0]?.to).toBe(now);
    expect(corners(planOf(withLiveChanges(given, changes, [], now), now).drawn).map(([minute]) => minute)).toEqual([
      0, 4, 10, 15, 20,
    ]);
  });
});

test.each([
  ["a device that is back, and was recorded as gone", true, series({ gaps: [gap(4, undefined, "hub_offline")] }), true],
  ["a device that is gone, as was recorded", false, series({ gaps: [gap(4, undefined)] }), false],
  ["a device that is back, as was recorded", true, series({ gaps: [gap(4, 6)] }), false],
  [
    "a time that is not recorded, wherever the device is",
    true,
    series({ gaps: [gap(4, undefined, "not_recorded")] }),
    false,
  ],
])("whether an answer misses that it is back: %s", (_, isOnline, given, expected) => {
  expect(missesReturn(given, isOnline)).toBe(expected);
});
