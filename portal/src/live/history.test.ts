/** What is kept of values, and when nothing was known. */
import type { PorchlightEvent } from "@porchlight/sdk";
import { expect, test } from "vitest";
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

test("changes within a second stand where they came, for the service tells whole seconds", () => {
  const { clock, kept } = history();
  kept.hear(changed(20));
  clock.now += 300;
  kept.hear(changed(21));
  expect(kept.pointsOf(key)).toEqual([
    { at: START, value: 20 },
    { at: START + 300, value: 21 },
  ]);
});

test("what is told late stands where it happened, also when this computer's clock is wrong", () => {
  const { clock, kept } = history();
  clock.now += 3_600_000;
  kept.hear(changed(20));
  clock.now += 60_000;
  kept.hear(changed(21, "2026-11-21 12:00:30Z"));
  expect(kept.pointsOf(key).map(({ at }) => at - START)).toEqual([3_600_000, 3_630_000]);
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

test("a gap stays when what happened in it is no longer told", () => {
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

test("a fetched value begins a history, and is no point when nothing is new", () => {
  const { clock, kept } = history();
  kept.seen(key, 20);
  clock.now += 1000;
  kept.seen(key, 20);
  kept.seen(key, undefined);
  expect(kept.pointsOf(key)).toEqual([{ at: START, value: 20 }]);
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
