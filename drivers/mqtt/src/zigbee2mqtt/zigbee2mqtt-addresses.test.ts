/** Which address each part of a Zigbee device has, when later versions of zigbee2mqtt list parts otherwise. */
import { memoryStore } from "@porchlight/driver-kit/kept/memory-store.fixture.ts";
import { describe, expect, test } from "vitest";
import { KeptThings } from "../device/kept-things.ts";
import {
  binary,
  dialectOver,
  lampOf,
  listed,
  numeric,
  reading,
  selectors,
  writing,
} from "./described-device.fixture.ts";

const relay = (endpoint: string) => ({
  ...{ type: "switch", endpoint },
  features: [{ ...binary(`state_${endpoint}`, "ON", "OFF", 7), name: "state", endpoint }],
});
const action = (...values: string[]) => ({ type: "enum", name: "action", property: "action", access: 1, values });

/** One hub for the length of a test: what it keeps outlives each dialect. */
function hub() {
  const store = memoryStore();
  let kept = new KeptThings(store);
  /** The device as it is described from now on, to a hub that has admitted it. */
  const has = (exposes: readonly object[], more: object = {}) => {
    const device = lampOf(dialectOver(kept, listed(exposes, more)));
    kept.keepAddresses(device);
    return device;
  };
  const restart = async () => {
    kept = new KeptThings(store);
    await kept.load();
  };
  return { has, restart };
}

/** What each address sets. */
function commands(device: ReturnType<ReturnType<typeof hub>["has"]>) {
  const settable = device.properties.filter(({ set }) => set);
  return Object.fromEntries(
    settable.map(({ address: { service, index, property } }) => {
      const selector = `${service}:${index}.${property}`;
      return [selector, Object.keys(writing(device, selector, true))[0]];
    }),
  );
}

describe("an endpoint keeps its number", () => {
  test("when another with a name is listed before it, leaves, and comes back", async () => {
    const { has, restart } = hub();
    const first = { "Switch:1.on": "state_left", "Switch:2.on": "state_right" };
    expect(commands(has([relay("left"), relay("right")]))).toEqual(first);
    const second = { ...first, "Switch:3.on": "state_center" };
    expect(commands(has([relay("center"), relay("right"), relay("left")]))).toEqual(second);
    expect(commands(has([relay("right")]))).toEqual({ "Switch:2.on": "state_right" });
    await restart();
    expect(commands(has([relay("bottom"), relay("right")]))).toEqual({
      "Switch:2.on": "state_right",
      "Switch:4.on": "state_bottom",
    });
    expect(commands(has([relay("bottom"), relay("center"), relay("right"), relay("left")]))).toEqual({
      ...second,
      "Switch:4.on": "state_bottom",
    });
  });

  test("that it reports itself, in any order", () => {
    const { has } = hub();
    expect(commands(has([relay("l2")]))).toEqual({ "Switch:2.on": "state_l2" });
    expect(commands(has([relay("l1"), relay("l2"), relay("l3")]))).toEqual({
      "Switch:1.on": "state_l1",
      "Switch:2.on": "state_l2",
      "Switch:3.on": "state_l3",
    });
  });

  test("also from one that reports this number itself", () => {
    const { has } = hub();
    has([relay("left")]);
    expect(commands(has([relay("l1"), relay("left")]))).toMatchObject({ "Switch:1.on": "state_left" });
  });

  test("when the device is renamed", () => {
    const { has } = hub();
    const first = selectors(has([relay("left"), relay("right")]));
    const renamed = has([relay("right"), relay("left")], { friendly_name: "hall/lamp" });
    expect(selectors(renamed).toSorted()).toEqual(first.toSorted());
    expect(renamed.properties.map(({ state }) => state?.topic)).toEqual(["z/hall/lamp", "z/hall/lamp"]);
  });
});

test("a feature keeps its standard property when another feature that could have it is listed before it", () => {
  const { has } = hub();
  expect(selectors(has([binary("presence")]))).toEqual(["Occupancy:0.occupied"]);
  const device = has([binary("occupancy"), binary("presence")]);
  expect(selectors(device)).toEqual(["Readings:0.occupancy", "Occupancy:0.occupied"]);
  expect(reading(device, "Occupancy.occupied", { presence: true, occupancy: false })).toBe(true);
});

test("a feature that comes in a unit of no class one day has another address then", () => {
  const { has } = hub();
  expect(selectors(has([numeric("temperature", { unit: "°C" })]))).toEqual(["Temperature:0.celsius"]);
  expect(selectors(has([numeric("temperature", { unit: "°F" })]))).toEqual(["Readings:0.temperature"]);
  expect(selectors(has([numeric("temperature", { unit: "°C" })]))).toEqual(["Temperature:0.celsius"]);
});

test("features whose names are alike keep theirs", () => {
  const { has } = hub();
  const [a, b] = [numeric("a_b", { access: 3 }), numeric("a-b", { access: 3 })];
  expect(commands(has([a, b]))).toEqual({ "Settings:0.aB": "a_b", "Settings:0.aB2": "a-b" });
  expect(commands(has([b, a]))).toEqual({ "Settings:0.aB": "a_b", "Settings:0.aB2": "a-b" });
  expect(commands(has([b]))).toEqual({ "Settings:0.aB2": "a-b" });
});

test("a button keeps its number when a later version lists another before it", () => {
  const { has } = hub();
  const events = (words: readonly string[], word: string) => {
    const device = has([action(...words)]);
    return selectors(device).filter((selector) => reading(device, selector, { action: word }) !== undefined);
  };
  expect(events(["on_press", "off_press"], "on_press")).toEqual(["Button:1.event"]);
  const more = ["up_press", "off_press", "on_press", "1_single", "single"];
  expect(events(more, "on_press")).toEqual(["Button:1.event"]);
  expect(events(more, "off_press")).toEqual(["Button:2.event"]);
  expect(events(more, "up_press")).toEqual(["Button:3.event"]);
  expect(events(more, "single")).toEqual(["Button:0.event"]);
});
