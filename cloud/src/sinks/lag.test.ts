/** How far sinks are behind, on either store, as operators see it. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { insertEcosystem } from "../places/index.ts";
import { answered, ECO, SinkWorld } from "./sinks.fixture.ts";

let world: SinkWorld;
beforeEach(async () => {
  world = await SinkWorld.start();
});
afterEach(() => world[Symbol.asyncDispose]());

/** As a look at all sinks finds it, before what is due is delivered. */
const lag = async () => {
  await world.delivered();
  return world.first.sinks.lag;
};

it("is the events that the sink furthest behind has not come past", async () => {
  expect(await lag()).toEqual({ events: 0, failing: 0 });
  for (const celsius of [20, 21, 22]) await world.changed(celsius);
  expect(await lag()).toEqual({ events: 3, failing: 0 });
  expect(await lag()).toEqual({ events: 0, failing: 0 });
});

it("leaves out a sink whose receiver takes nothing, and counts it", async () => {
  await world.store.write("eco_2", async (tx) => void (await insertEcosystem(tx, "acc_1", "eco_2", 0)));
  await world.sink("eco_2");
  world.receiver.answer = () => answered(500);
  await world.changed(20);
  await world.delivered();
  expect(await lag()).toEqual({ events: 0, failing: 1 });
  world.receiver.answer = () => answered(204);
  await world.clock.advance(10_000);
  await world.delivered();
  expect(await lag()).toEqual({ events: 0, failing: 0 });
  expect((await world.row(ECO)).position).toBe(1);
});

it("is reported by the node that delivers, and by no other", async () => {
  await world.changed(20);
  expect((await lag()).events).toBe(1);
  world.first.chosen = false;
  expect(world.first.sinks.lag).toEqual({ events: 0, failing: 0 });
});
