/** What is kept of values, and when nothing was known. */
import type { PorchlightEvent } from "@porchlight/sdk";
import { describe, expect, test } from "vitest";
import { History, merged } from "./history.ts";
import { keyOf } from "./target.ts";

const target = { deviceId: "dev_1", service: "Temperature", index: "0", property: "celsius" };
const key = keyOf(target);
const START = Date.parse("2026-11-21T12:00:00Z");
const changed = (value: unknown, createdAt = "2026-11-21 12:00:00Z") =>
  ({ type: "property.changed", createdAt, data: { item: { ...target, value } } }) as unknown as PorchlightEvent;
const device = (type: string, createdAt: string) =>
  ({ type, createdAt, data: { id: "dev_1" } }) as unknown as PorchlightEvent;

function history() {
  const clock = { now: START };
  return { clock, kept: new History(() => clock.now) };
}

test("changes within a second keep their order of arrival, because the service reports whole seconds", () => {
  const { clock, kept } = history();
  kept.hear(changed(20));
  clock.now += 300;
  kept.hear(changed(21));
  expect(kept.pointsOf(key)).toEqual([
    { at: START, value: 20 },
    { at: START + 300, value: 21 },
  ]);
});

test("a late event stands at the time of its change, even when this computer's clock is wrong", () => {
  const { clock, kept } = history();
  clock.now += 3_600_000;
  kept.hear(changed(20));
  clock.now += 60_000;
  kept.hear(changed(21, "2026-11-21 12:00:30Z"));
  expect(kept.pointsOf(key).map(({ at = 0 }) => at - START)).toEqual([3_600_000, 3_630_000]);
});

test("a value that a broker retained has no time, even when it arrives now", () => {
  const { kept } = history();
  const event = changed(20);
  if (event.type === "property.changed") Object.assign(event.data.item, { source: "retained" });
  kept.hear(event);
  expect(kept.pointsOf(key)).toEqual([{ at: undefined, value: 20 }]);
});

test("a lost stream is a gap while it is lost, and none when it goes on where it was", () => {
  const { clock, kept } = history();
  kept.connection({ state: "lost", nextTryMs: 100 });
  clock.now += 5000;
  expect(kept.gapsOf([])).toEqual([{ from: START, to: undefined }]);
  kept.connection({ state: "lost", nextTryMs: 200 });
  expect(kept.gapsOf([])).toHaveLength(1);
  kept.connection({ state: "connected" });
  expect(kept.gapsOf([])).toEqual([]);
});

test("a gap stays when its events are no longer delivered", () => {
  const { clock, kept } = history();
  kept.missed();
  expect(kept.gapsOf([])).toEqual([]);
  kept.connection({ state: "lost", nextTryMs: 100 });
  clock.now += 5000;
  kept.connection({ state: "connected" });
  kept.missed();
  expect(kept.gapsOf([])).toEqual([{ from: START, to: START + 5000 }]);
});

test("of a device that is away nothing is known, nor of one whose hub is", () => {
  const { clock, kept } = history();
  kept.hear(device("device.offline", "2026-11-21 12:00:00Z"));
  clock.now += 10_000;
  kept.hear(device("device.online", "2026-11-21 12:00:10Z"));
  expect(kept.gapsOf(["dev_1", "cli_1"])).toEqual([{ from: START, to: START + 10_000 }]);
  expect(kept.gapsOf(["dev_2"])).toEqual([]);
});

describe("a fetched value", () => {
  const HOUR = 3_600_000;
  const observedAt = "2026-11-21 11:00:00Z";
  const modifiedAt = "2026-11-21 10:00:00Z";

  test("begins a history at the time of the device's report, not of the fetch", () => {
    const { clock, kept } = history();
    kept.seen(key, { value: 20, observedAt, modifiedAt });
    clock.now += 1000;
    kept.seen(key, { value: 20, observedAt: "2026-11-21 12:00:01Z", modifiedAt });
    kept.seen(key, {});
    expect(kept.pointsOf(key)).toEqual([{ at: START - HOUR, value: 20 }]);
  });

  test("of which only the change is known begins there", () => {
    const { kept } = history();
    kept.seen(key, { value: 20, modifiedAt });
    expect(kept.pointsOf(key)).toEqual([{ at: START - 2 * HOUR, value: 20 }]);
  });

  test("of unknown age has no time until one is reported", () => {
    const { kept } = history();
    kept.seen(key, { value: 20, source: "retained" });
    expect(kept.pointsOf(key)).toEqual([{ at: undefined, value: 20 }]);
    kept.seen(key, { value: 20, observedAt });
    expect(kept.pointsOf(key)).toEqual([{ at: START - HOUR, value: 20 }]);
  });

  test("of unknown age stays between the reports before and after it", () => {
    const { clock, kept } = history();
    kept.seen(key, { value: 20, source: "retained" });
    clock.now += 1000;
    kept.hear(changed(21, "2026-11-21 12:00:01Z"));
    kept.seen(key, { value: 22, source: "retained" });
    expect(kept.pointsOf(key)).toEqual([
      { at: undefined, value: 20 },
      { at: START + 1000, value: 21 },
      { at: START + 1000, value: 22 },
    ]);
  });

  test("stands on this computer's clock when that is wrong, and never after now", () => {
    const { clock, kept } = history();
    clock.now += HOUR;
    kept.hear(changed(1));
    const other = keyOf({ ...target, property: "other" });
    kept.seen(other, { value: 2, observedAt });
    expect(kept.pointsOf(other)).toEqual([{ at: START, value: 2 }]);
    clock.now = START - 2 * HOUR;
    const third = keyOf({ ...target, property: "third" });
    kept.seen(third, { value: 3, observedAt: "2026-11-21 12:00:00Z" });
    expect(kept.pointsOf(third)).toEqual([{ at: clock.now, value: 3 }]);
  });
});

test("it does not grow for ever", () => {
  const { kept } = history();
  for (let n = 0; n < 1000; n++) kept.hear(changed(n));
  expect(kept.pointsOf(key)).toHaveLength(500);
  expect(kept.pointsOf(key).at(-1)?.value).toBe(999);
});

test("gaps that overlap are one", () => {
  expect(
    merged([
      { from: 5, to: 9 },
      { from: 1, to: 6 },
      { from: 20, to: undefined },
      { from: 25, to: 26 },
    ]),
  ).toEqual([
    { from: 1, to: 9 },
    { from: 20, to: undefined },
  ]);
});
