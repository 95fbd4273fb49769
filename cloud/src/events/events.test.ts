/** The event log as those read it who follow it, and how long it is kept. */

import { badPattern, wants } from "@porchlight/shared/events";
import { IdMaker, seededRandom, settle, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FreshLocation, freshLocation } from "../store/fresh-store.fixture.ts";
import { Store } from "../store/index.ts";
import { EventNotifier, EventRetention, LogReader, LogWatch } from "./index.ts";

const ECO = "eco_1";
const DAY = 86_400_000;

let clock: VirtualClock;
let fresh: FreshLocation;
let store: Store;
let reader: LogReader;
beforeEach(async () => {
  clock = new VirtualClock();
  fresh = await freshLocation();
  store = await Store.open({ ...fresh.opening, clock, ids: new IdMaker(clock, seededRandom(1)) });
  reader = new LogReader(store);
});
afterEach(async () => {
  await store[Symbol.asyncDispose]();
  await fresh[Symbol.asyncDispose]();
});

/** Appends so many events in one job. */
async function append(count: number, ecosystemId = ECO, text = ""): Promise<void> {
  await store.write(ecosystemId, async (tx) => {
    for (let n = 0; n < count; n += 1)
      tx.append({ type: "zone.created", environmentId: "env_1", data: { n, ...(text && { text }) } });
  });
}

const keeping = { log: silentLog, keepEventsDays: 7, keepEventsMegabytes: 1 };

async function sequences(after: number, limit?: number): Promise<readonly number[] | string> {
  const slice = await reader.read(ECO, after, limit);
  return slice.kind === "lost" ? `lost, ${slice.after}` : slice.events.map(({ sequence }) => sequence);
}

const remove = (upTo: number) =>
  store.writeService((tx) => tx.change(tx.build.deleteFrom("events").where("sequence", "<=", upTo)));

test("an event is read whole, as JSON, and in its ecosystem's order", async () => {
  await append(1);
  await append(2, "eco_2");
  await append(1);
  const slice = await reader.read(ECO, 0);
  if (slice.kind === "lost") return expect.unreachable();
  expect(slice.events.map(({ text }) => JSON.parse(text))).toEqual(
    [1, 2].map((sequence) => expect.objectContaining({ sequence })),
  );
  expect(JSON.parse(slice.events[0]?.text ?? "")).toEqual({
    id: expect.stringMatching(/^evt_/),
    sequence: 1,
    type: "zone.created",
    createdAt: "2026-01-01 00:00:00Z",
    ecosystemId: ECO,
    environmentId: "env_1",
    data: { n: 0 },
  });
});

test("a log is read in batches, each after the one before", async () => {
  await append(5);
  expect(await sequences(0, 2)).toEqual([1, 2]);
  expect(await sequences(2, 2)).toEqual([3, 4]);
  expect(await sequences(4, 2)).toEqual([5]);
  expect(await sequences(5)).toEqual([]);
  expect(await reader.range(ECO)).toEqual({ oldest: 1, newest: 5 });
});

test("deleted events are reported as lost, even when no event is kept", async () => {
  await append(5);
  await remove(3);
  expect(await sequences(1)).toBe("lost, 3");
  expect(await sequences(3)).toEqual([4, 5]);
  expect(await reader.range(ECO)).toEqual({ oldest: 4, newest: 5 });
  await remove(5);
  expect(await sequences(3)).toBe("lost, 5");
  expect(await sequences(5)).toEqual([]);
  expect(await reader.range(ECO)).toEqual({ oldest: 6, newest: 5 });
});

test("a subscriber is woken after the commit, and no more once it unsubscribes", async () => {
  using notifier = EventNotifier.start(store);
  const heard: string[] = [];
  const stop = notifier.subscribe(ECO, (sequence) => heard.push(`one ${sequence}`));
  const stopOther = notifier.subscribe(ECO, (sequence) => heard.push(`other ${sequence}`));
  await append(2);
  await append(1, "eco_2");
  stop();
  await append(1);
  stopOther();
  await append(1);
  expect(heard).toEqual(["one 2", "other 2", "other 3"]);
});

test("an event without a notification is found within a second, in every log that is followed and no other", async () => {
  const notified = new Set<string>();
  using notifier = EventNotifier.start({ onEvents: () => () => undefined });
  await using _watch = LogWatch.start({ store, clock, log: silentLog, notifier });
  const followed = Array.from({ length: 501 }, (_, n) => `eco_${n}`);
  const stops = followed.map((eco) => notifier.subscribe(eco, (sequence) => notified.add(`${eco} ${sequence}`)));
  for (const eco of ["eco_0", "eco_500", "eco_501"]) await append(2, eco);
  await clock.advance(1_000);
  while (notified.size < 2) await settle(1);
  expect([...notified].sort()).toEqual(["eco_0 2", "eco_500 2"]);
  for (const stop of stops) stop();
  expect([...notifier.followed]).toEqual([]);
});

test("a store that cannot be asked for a while is asked again", async () => {
  let isBroken = true;
  let notified = 0;
  const beforeReading = () => {
    if (isBroken) throw new Error("no store");
  };
  const ids = new IdMaker(clock, seededRandom(1));
  await using broken = await Store.open({ ...fresh.opening, clock, ids, beforeReading });
  using notifier = EventNotifier.start({ onEvents: () => () => undefined });
  await using _watch = LogWatch.start({ store: broken, clock, log: silentLog, notifier });
  notifier.subscribe(ECO, (sequence) => {
    notified = sequence;
  });
  await append(1);
  await clock.advance(3_000);
  expect(notified).toBe(0);
  isBroken = false;
  await clock.advance(1_000);
  while (notified === 0) await settle(1);
  expect(notified).toBe(1);
});

test("events go when they are as old as is kept, from the beginning of each log, and the count goes on", async () => {
  await using retention = EventRetention.start({ ...keeping, store, clock });
  // The hourly one may be under way, and of an earlier hour.
  const sweep = async () => {
    await retention.sweep();
    await retention.sweep();
  };
  await append(1203);
  await append(2, "eco_2");
  await clock.advance(6 * DAY);
  await append(3);
  await sweep();
  expect((await reader.range(ECO)).oldest).toBe(1);
  await clock.advance(DAY + 1);
  await sweep();
  expect(await reader.range(ECO)).toEqual({ oldest: 1204, newest: 1206 });
  expect(await reader.range("eco_2")).toEqual({ oldest: 3, newest: 2 });
  await append(1, "eco_2");
  expect((await reader.range("eco_2")).newest).toBe(3);
});

test("each ecosystem's events have a limit of bytes: the oldest are deleted first, and are reported as lost", async () => {
  await using retention = EventRetention.start({ ...keeping, store, clock });
  // With what is around it, and 200 bytes for the row, 99,999 bytes: ten are a megabyte.
  const text = "é".repeat(49_891);
  await append(9, ECO, text);
  await append(9, "eco_2", text);
  await retention.sweep();
  expect((await reader.range(ECO)).oldest).toBe(1);
  await append(3, ECO, text);
  await retention.sweep();
  expect(await reader.range(ECO)).toEqual({ oldest: 3, newest: 12 });
  expect(await reader.range("eco_2")).toEqual({ oldest: 1, newest: 9 });
  expect(await sequences(0)).toBe("lost, 2");
  expect(await sequences(2, 2)).toEqual([3, 4]);
  // The count goes on in the next process.
  await store[Symbol.asyncDispose]();
  store = await Store.open({ ...fresh.opening, clock, ids: new IdMaker(clock, seededRandom(2)) });
  reader = new LogReader(store);
  await using next = EventRetention.start({ ...keeping, store, clock });
  await append(1, ECO, text);
  await next.sweep();
  expect(await reader.range(ECO)).toEqual({ oldest: 4, newest: 13 });
});

test("a log that grows past another 16 MiB is cut at once, beginning with the uncounted events", async () => {
  await append(2);
  await store.writeService((tx) => tx.change(tx.build.updateTable("events").set({ log_offset: null })));
  await store.writeService((tx) => tx.change(tx.build.updateTable("counters").set({ log_bytes: null })));
  await using _retention = EventRetention.start({ ...keeping, store, clock });
  await append(16, ECO, "a".repeat(1_000_000));
  await store.writeService(async () => undefined);
  expect((await reader.range(ECO)).oldest).toBe(1);
  await append(1, ECO, "a".repeat(1_000_000));
  while ((await reader.range(ECO)).oldest <= 19) await settle(1);
  expect(await reader.range(ECO)).toEqual({ oldest: 20, newest: 19 });
});

test.each([
  [["*"], "hub.online", true],
  [["device.*"], "device.added", true],
  [["device.*"], "devices", false],
  [["device.added", "zone.*"], "zone.deleted", true],
  [["device.added"], "device.removed", false],
])("%j means %s: %s", (patterns, type, isMeant) => {
  expect(wants(patterns, type)).toBe(isMeant);
});

test.each(["", ".*", "dev.*", "device", "device.", "device.adde", "property.changed.*", "*.added", "Device.added"])(
  "%j means no type, and is reported",
  (pattern) => {
    expect(badPattern(["*", pattern])).toBe(pattern);
  },
);
