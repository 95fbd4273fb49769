/** The cache of environments: what is committed is in it, whenever it was read, and it stays within its bounds. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { NO_OTHERS } from "../nodes/index.ts";
import { Home, LAMP, value } from "./devices.fixture.ts";
import { EnvironmentCache } from "./environment-cache.ts";

let home: Home;
beforeEach(async () => {
  home = await Home.open();
});
afterEach(() => home[Symbol.asyncDispose]());

it("has what is committed while it reads", async () => {
  const hub = await home.lampHub();
  await home.records(hub, value(1, 10));
  const { ecosystemId, environmentId } = home.client;
  const deviceId = await home.deviceId();
  const cache = new EnvironmentCache(home.testNode.store);
  const loading = cache.get(ecosystemId, environmentId);
  cache.valueStored({ ecosystemId, environmentId, deviceId }, "LightColor:0.hue", {
    value: "99",
    number: 2,
    modifiedAt: 0,
    observedAt: 0,
  });
  expect((await loading).stored(deviceId, "LightColor:0.hue")).toMatchObject({ value: "99" });
});

it("reads again what was changed as a whole while it read", async () => {
  await home.lampHub();
  const { ecosystemId, environmentId } = home.client;
  const { store } = home.testNode;
  const cache = new EnvironmentCache(store);
  const of = store.of.bind(store);
  let reads = 0;
  store.of = (id) => {
    reads += 1;
    return of(id);
  };
  const loading = cache.get(ecosystemId, environmentId);
  cache.forget(environmentId);
  await loading;
  expect(reads).toBe(2);
});

it("reads an environment once, however many ask", async () => {
  await home.lampHub();
  const { ecosystemId, environmentId } = home.client;
  const cache = new EnvironmentCache(home.testNode.store);
  const states = await Promise.all([1, 2, 3].map(() => cache.get(ecosystemId, environmentId)));
  expect(new Set(states).size).toBe(1);
});

it("gives up what was asked for longest ago when it is full", async () => {
  const cache = new EnvironmentCache(home.testNode.store, NO_OTHERS, 2);
  const [a, b, c] = [await home.testNode.client(), await home.testNode.client(), await home.testNode.client()];
  await cache.get(a.ecosystemId, a.environmentId);
  await cache.get(b.ecosystemId, b.environmentId);
  cache.peek(a.environmentId);
  await cache.get(c.ecosystemId, c.environmentId);
  expect([a, b, c].map(({ environmentId }) => cache.peek(environmentId) !== undefined)).toEqual([true, false, true]);
});

it("counts values that come and go, so that its bound stays true", async () => {
  const hub = await home.lampHub();
  const state = await home.memory.cache.get(home.client.ecosystemId, home.client.environmentId);
  const before = state.weight;
  await home.records(hub, value(1, 10), value(2, 20));
  expect(state.weight).toBe(before + 1);
  await home.describe(hub, { edgeId: LAMP, digest: "d2", services: [] });
  expect(state.weight).toBe(before);
});
