/** How far recording is behind, on either store, as operators see it. */
import { silentLog } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, expect, it } from "vitest";
import { insertEcosystem } from "../places/index.ts";
import { changeEvent, DEV, ECO, HistoryWorld } from "./history.fixture.ts";
import { HistoryLag } from "./recording-lag.ts";

let world: HistoryWorld;
beforeEach(async () => {
  world = await HistoryWorld.start();
});
afterEach(() => world[Symbol.asyncDispose]());

const lag = async () => {
  await world.history.measure();
  return world.history.lag;
};
const changes = (count: number, eco = ECO) =>
  world.store.write(eco, async (tx) => {
    for (let each = 0; each < count; each++) tx.append(changeEvent(each, world.clock.now(), "Sensor:0.celsius", DEV));
  });

it("is the events that are not recorded, of the ecosystem of which most are not", async () => {
  expect(await lag()).toBe(0);
  await changes(3);
  expect(await lag()).toBe(3);
  await world.store.write("eco_2", async (tx) => void (await insertEcosystem(tx, "acc_1", "eco_2", 0)));
  await changes(5, "eco_2");
  expect(await lag()).toBe(5);
  await world.recorded();
  expect(await lag()).toBe(0);
  await changes(1);
  expect(await lag()).toBe(1);
});

it("is measured by itself, although nothing is recorded", async () => {
  world.first.chosen = false;
  const { store, clock } = world;
  await using measured = HistoryLag.start({ store, clock, log: silentLog, isChosen: () => true });
  await changes(7);
  await clock.untilSo(() => measured.events > 0);
  expect(measured.events).toBe(7);
});

it("is reported by the node that records, and by no other", async () => {
  await changes(3);
  expect(await lag()).toBe(3);
  world.first.chosen = false;
  expect(world.history.lag).toBe(0);
  expect(await lag()).toBe(0);
  world.first.chosen = true;
  // Not what was so before.
  expect(world.history.lag).toBe(0);
  expect(await lag()).toBe(3);
});
