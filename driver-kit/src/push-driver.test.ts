import { settle } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";
import { expect, test } from "vitest";
import type { ReportSource } from "./contract/driver.ts";
import { FakeHost } from "./host/fake-host.fixture.ts";
import { MOST_EVENTS, PUSH_AGAIN_MS } from "./host/push-queue.ts";
import { SupervisedDriver } from "./host/supervised.ts";
import { everyDriver } from "./judge/every-driver.suite.ts";
import { ON, PRESS } from "./push-driver.fixture.ts";
import { PLUG, PUSH_EXCUSES, pushWorld } from "./push-world.fixture.ts";

const without = PUSH_EXCUSES;

everyDriver("plugs that push, the smallest that there is", pushWorld, { without });

everyDriver("plugs that push, under its supervisor", pushWorld, {
  without,
  through:
    (start, { clock, random, log }) =>
    (host) =>
      new SupervisedDriver({ name: "push", start, clock, random, log, host }),
});

/** A host that has room only after `open`. */
function crowded() {
  const host = new FakeHost();
  const stored: Value[] = [];
  const sources: ReportSource[] = [];
  let isOpen = false;
  host.commit = async ({ value }, source) => {
    sources.push(source);
    if (isOpen) stored.push(value);
    return isOpen ? "stored" : "busy";
  };
  const open = async () => {
    isOpen = true;
    await host.clock.advance(MOST_EVENTS * PUSH_AGAIN_MS);
  };
  return { host, stored, sources, open };
}

test("of values that wait for room the newest is stored, and no older one after it", async () => {
  const { host, stored, open } = crowded();
  const pushed = [1, 2, 3, 4].map((value) => host.pushed({ device: PLUG, ...ON, value }));
  await settle();
  await open();
  expect(await Promise.all(pushed)).toEqual(["replaced", "replaced", "replaced", "stored"]);
  expect(stored).toEqual([4]);
});

test("every event that waits for room is stored, once and in its order; one too many is not taken in", async () => {
  const { host, stored, sources, open } = crowded();
  const events = Array.from({ length: MOST_EVENTS }, (_, n) => n);
  const pushed = events.map((value) => host.pushed({ device: PLUG, ...PRESS, value }));
  expect(await host.pushed({ device: PLUG, ...PRESS, value: -1 })).toBe("busy");
  await settle();
  await open();
  expect(new Set(await Promise.all(pushed))).toEqual(new Set(["stored"]));
  expect(stored).toEqual(events);
  expect(new Set(sources.map(({ boot, seq }) => `${boot} ${seq}`)).size).toBe(events.length);
});

test("a push is tried again under the identity that it had", async () => {
  const { host, sources, open } = crowded();
  const pushed = host.pushed({ device: PLUG, ...PRESS, value: "press" });
  await settle();
  await open();
  expect(await pushed).toBe("stored");
  expect(sources).toHaveLength(2);
  expect(sources[1]).toEqual(sources[0]);
});
