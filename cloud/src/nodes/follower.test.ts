/** How long a node that is cut off from the database lets its streams stand. */
import { IdMaker, seededRandom, settle, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, expect, it } from "vitest";
import { BusMedium } from "../bus/memory-bus.fixture.ts";
import { type FreshLocation, freshLocation } from "../store/fresh-store.fixture.ts";
import { Store } from "../store/index.ts";
import { Follower } from "./follower.ts";

let clock: VirtualClock;
let fresh: FreshLocation;
let store: Store;
let follower: Follower;
let isCut: boolean;
let lost: number[];
beforeEach(async () => {
  clock = new VirtualClock();
  fresh = await freshLocation();
  isCut = false;
  lost = [];
  const beforeReading = () => {
    if (isCut) throw new Error("nothing is heard of the database");
  };
  store = await Store.open({
    ...fresh.opening,
    clock,
    ids: new IdMaker(clock, seededRandom(1)),
    beforeReading,
  });
  const nothing = () => undefined;
  const followed = { note: nothing, ended: nothing, forget: nothing, lost: () => void lost.push(clock.monotonic()) };
  follower = await Follower.start({ store, clock, log: silentLog, bus: new BusMedium(clock).join(), followed });
});
afterEach(async () => {
  await follower[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
  await fresh[Symbol.asyncDispose]();
});

/** So that each look at the database ends before time goes on. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 100) {
    await clock.advance(Math.min(100, left));
    await settle();
  }
}

it("what is open ends within five seconds of the cut, whenever that comes, with time to tell its readers", async () => {
  for (let between = 0; between < 1600; between += 100) {
    await pass(3_200 + between);
    // A request that makes the node look, at any time.
    await follower.catchUp();
    await pass(100);
    isCut = true;
    const cutAt = clock.monotonic();
    await pass(8_000);
    expect(lost).toHaveLength(1);
    expect((lost[0] ?? 0) - cutAt).toBeLessThanOrEqual(4_000);
    isCut = false;
    lost = [];
    await pass(2_000);
  }
});

it("an outage that is over in time ends nothing", async () => {
  for (let round = 0; round < 5; round++) {
    isCut = true;
    await pass(2_800);
    isCut = false;
    await pass(2_000);
  }
  expect(lost).toEqual([]);
});

it("nothing is lost once the node has ended", async () => {
  await follower[Symbol.asyncDispose]();
  await pass(10_000);
  expect(lost).toEqual([]);
});
