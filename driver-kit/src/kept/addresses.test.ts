import { addressKey } from "@porchlight/shared/model";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type KeptAddresses, placeThings, type Thing } from "./addresses.ts";
import { DeviceAddresses } from "./kept-addresses.ts";
import { memoryStore } from "./memory-store.fixture.ts";

const relay = (id: string): Thing => ({ id, properties: [{ service: "Switch", property: "on" }] });
const reading = (id: string, property: string): Thing => ({
  id,
  properties: [{ service: "Readings", property }],
  apart: "name",
});

const endpoint = (id: string, index: number): Thing => ({ ...relay(id), index, apart: "nowhere" });

/** Each thing's first address, by its ID. */
function addresses(things: readonly Thing[], kept: KeptAddresses) {
  const result = placeThings(things, kept);
  const named = result.placed.map(({ thing, addresses: [first] }) => [thing.id, first && addressKey(first)]);
  return { of: Object.fromEntries(named) as Record<string, string>, kept: result.kept };
}

describe("a thing keeps its address", () => {
  test("when another is listed before it", () => {
    const first = addresses([relay("heater"), relay("pump")], {});
    expect(first.of).toEqual({ heater: "Switch:0.on", pump: "Switch:1.on" });
    const second = addresses([relay("aux"), relay("pump"), relay("heater")], first.kept);
    expect(second.of).toEqual({ heater: "Switch:0.on", pump: "Switch:1.on", aux: "Switch:2.on" });
  });

  test("when another has left, whose address is not given to a third, and which has it again when it is back", () => {
    const first = addresses([relay("heater"), relay("pump")], {});
    const second = addresses([relay("pump")], first.kept);
    expect(second.of).toEqual({ pump: "Switch:1.on" });
    const third = addresses([relay("aux"), relay("pump")], second.kept);
    expect(third.of).toEqual({ pump: "Switch:1.on", aux: "Switch:2.on" });
    expect(addresses([relay("aux"), relay("heater"), relay("pump")], third.kept).of.heater).toBe("Switch:0.on");
  });

  test("when it has a property more, unless another thing has had that address", () => {
    const fan = (...names: string[]): Thing => ({
      id: "fan",
      properties: names.map((property) => ({ service: "Fan", property })),
    });
    const first = placeThings([fan("on"), relay("pump")], {});
    const second = placeThings([fan("on", "speed")], first.kept);
    expect(second.placed[0]?.addresses.map(addressKey)).toEqual(["Fan:0.on", "Fan:0.speed"]);
    const other: Thing = { id: "other", properties: [{ service: "Fan", property: "speed" }] };
    const third = placeThings([other], placeThings([fan("on")], {}).kept);
    const fourth = placeThings([fan("on", "speed")], third.kept);
    expect(fourth.placed[0]?.addresses.map(addressKey)).toEqual(["Fan:1.on", "Fan:1.speed"]);
  });

  test("of its own number where that is free, and of another one where it is not", () => {
    const numbered = (id: string, index: number): Thing => ({ ...relay(id), index });
    const first = addresses([relay("a"), numbered("b", 4), numbered("c", 4)], {});
    expect(first.of).toEqual({ a: "Switch:0.on", b: "Switch:4.on", c: "Switch:1.on" });
    expect(addresses([numbered("c", 4), numbered("b", 4)], first.kept).of).toEqual({
      ...{ b: "Switch:4.on", c: "Switch:1.on" },
    });
  });

  test("of its own number only: of two with the same number the second has none, also when the first has left", () => {
    const first = addresses([endpoint("a", 1), endpoint("b", 1), endpoint("c", 2)], {});
    expect(first.of).toEqual({ a: "Switch:1.on", c: "Switch:2.on" });
    const second = addresses([endpoint("b", 1), endpoint("c", 2)], first.kept);
    expect(second.of).toEqual({ c: "Switch:2.on" });
    expect(addresses([endpoint("b", 1), endpoint("a", 1)], second.kept).of).toEqual({ a: "Switch:1.on" });
  });

  test("of a collective service by its name", () => {
    const first = addresses([reading("a", "power"), reading("b", "power")], {});
    expect(first.of).toEqual({ a: "Readings:0.power", b: "Readings:0.power2" });
    const second = addresses([reading("b", "renamed"), reading("c", "power")], first.kept);
    expect(second.of).toEqual({ b: "Readings:0.power2", c: "Readings:0.power3" });
  });
});

describe("a thing that the device itself numbers", () => {
  const numbered = (id: string, index: number): Thing => ({ ...relay(id), index, apart: "nowhere" });

  test("has its own index, and none if another thing has had it", () => {
    const first = addresses([numbered("POWER2", 2), numbered("POWER1", 1)], {});
    expect(first.of).toEqual({ POWER1: "Switch:1.on", POWER2: "Switch:2.on" });
    const second = addresses([numbered("other", 2), numbered("POWER1", 1)], first.kept);
    expect(second.of).toEqual({ POWER1: "Switch:1.on" });
  });

  test("keeps the index that it was first given, however it is numbered later", () => {
    const first = addresses([numbered("POWER1", 0)], {});
    expect(addresses([numbered("POWER1", 1), numbered("POWER2", 2)], first.kept).of).toEqual({
      POWER1: "Switch:0.on",
      POWER2: "Switch:2.on",
    });
  });

  test("has in a collective service a name that is free at its index", () => {
    const at = (id: string, index: number) => ({ ...reading(id, "power"), index });
    const first = addresses([at("a", 1), at("b", 2), at("c", 2)], {});
    expect(first.of).toEqual({ a: "Readings:1.power", b: "Readings:2.power", c: "Readings:2.power2" });
  });
});

test("a thing that its protocol numbers has that index, unless another thing has had it", () => {
  const numbered = (id: string, index: number): Thing => ({ ...relay(id), index });
  const first = addresses([numbered("switch:100", 100), numbered("switch:0", 0)], {});
  expect(first.of).toEqual({ "switch:100": "Switch:100.on", "switch:0": "Switch:0.on" });
  const second = addresses([numbered("light:0", 0), numbered("switch:100", 100)], first.kept);
  expect(second.of).toEqual({ "light:0": "Switch:1.on", "switch:100": "Switch:100.on" });
  expect(addresses([numbered("switch:0", 0), numbered("light:0", 0)], second.kept).of).toEqual({
    "switch:0": "Switch:0.on",
    "light:0": "Switch:1.on",
  });
});

test("a service has at most 64 properties, and then the next index", () => {
  const things = Array.from({ length: 65 }, (_, at) => reading(`r${at}`, `p${at}`));
  const { of } = addresses(things, {});
  expect([of.r63, of.r64]).toEqual(["Readings:0.p63", "Readings:1.p64"]);
});

test("a thing for which no index is free is left out", () => {
  const things = Array.from({ length: 1001 }, (_, at) => relay(`relay ${at}`));
  const { placed } = placeThings(things, {});
  expect(placed.length).toBe(1000);
});

test("of two things with one ID the second has no address, also later", () => {
  const first = placeThings([relay("heater"), relay("heater"), relay("pump")], {});
  expect(first.placed.map(({ addresses: [address] }) => address && addressKey(address))).toEqual([
    "Switch:0.on",
    "Switch:1.on",
  ]);
});

describe("what things have had by another description of the same device", () => {
  const foreign = ["Switch:0.on", "Switch:1.on", "Readings:0.power"];
  const place = (things: readonly Thing[], kept: KeptAddresses = {}) => {
    const { placed } = placeThings(things, kept, foreign);
    return placed.map(({ addresses: [address] }) => address && addressKey(address));
  };

  test("is not given to a thing, also not to one that says that number itself", () => {
    expect(place([relay("a"), endpoint("b", 1), reading("c", "power")])).toEqual([
      ...["Switch:2.on", "Switch:3.on", "Readings:0.power2"],
    ]);
  });

  test("stays with a thing that has had it as well", () => {
    expect(place([relay("a")], { a: ["Switch:1.on"] })).toEqual(["Switch:1.on"]);
  });
});

test("an ID such as `constructor` or `__proto__` is as any other", () => {
  const first = addresses([relay("constructor"), relay("toString")], {});
  expect(first.of).toEqual({ constructor: "Switch:0.on", toString: "Switch:1.on" });
});

test("when things come, go and are listed anew, no address is ever given to two things, and none changes", () => {
  const ids = fc.uniqueArray(fc.constantFrom(..."abcdefgh"), { maxLength: 8 });
  fc.assert(
    fc.property(fc.array(ids, { maxLength: 12 }), (steps) => {
      const owners = new Map<string, string>();
      let kept: KeptAddresses = {};
      for (const listed of steps) {
        const result = addresses(listed.map(relay), kept);
        kept = result.kept;
        for (const [id, address] of Object.entries(result.of)) {
          expect(owners.get(address) ?? id).toBe(id);
          owners.set(address, id);
        }
      }
      expect(new Set(owners.values()).size).toBe(owners.size);
    }),
  );
});

test("addresses are the same after a restart, and what is no addresses in the store is as absent", async () => {
  const store = memoryStore(new Map([["addresses broken", Buffer.from("[1]")]]));
  const open = async () => {
    const kept = new DeviceAddresses(store, (failure) => expect(failure).toBeUndefined());
    await kept.load();
    return kept;
  };
  const before = await open();
  before.place("02-00-00-00-00-01", [relay("heater"), relay("pump")]);
  before.place("broken", [relay("lamp")]);
  const [placed] = (await open()).place("02-00-00-00-00-01", [relay("pump")]);
  expect(placed?.addresses).toEqual([{ service: "Switch", index: "1", property: "on" }]);
});

test("the addresses of a device that was removed for good are forgotten, also in the store", async () => {
  const store = memoryStore();
  const kept = new DeviceAddresses(store, (failure) => expect(failure).toBeUndefined());
  kept.place("02-00-00-00-00-01", [relay("heater")]);
  expect([kept.hasThing("02-00-00-00-00-01", "heater"), kept.hasThing("02-00-00-00-00-01", "pump")]).toEqual([
    true,
    false,
  ]);
  kept.forget("02-00-00-00-00-01");
  expect(kept.hasThing("02-00-00-00-00-01", "heater")).toBe(false);
  expect(await store.all("addresses ")).toEqual(new Map());
  const [placed] = kept.place("02-00-00-00-00-01", [relay("pump")]);
  expect(placed?.addresses).toEqual([{ service: "Switch", index: "0", property: "on" }]);
});

test("a device that has gone before the start makes room for the 8001st; without room there are no addresses that could move", async () => {
  const store = memoryStore();
  const failures: unknown[] = [];
  const open = async () => {
    const kept = new DeviceAddresses(store, (failure) => failures.push(failure));
    await kept.load();
    return kept;
  };
  const before = await open();
  for (let device = 0; device < 8000; device += 1) before.place(String(device), [relay("heater")]);
  expect([before.place("new", [relay("heater")]), failures.length]).toEqual([[], 1]);
  const kept = await open();
  kept.place("0", [relay("heater")]);
  kept.place("new", [relay("heater"), relay("pump")]);
  expect(kept.place("new", [relay("pump")])[0]?.addresses).toEqual([{ service: "Switch", index: "1", property: "on" }]);
  expect([kept.has("0"), kept.has("1"), kept.has("2"), failures.length]).toEqual([true, false, true, 1]);
});

test("addresses of an older form are taken over for a device of which nothing is kept, and outlive a restart", async () => {
  const store = memoryStore();
  const open = async () => {
    const kept = new DeviceAddresses(store, (failure) => expect(failure).toBeUndefined());
    await kept.load();
    return kept;
  };
  const before = await open();
  before.adopt("board", { heater: ["Switch:4.on"] });
  before.adopt("board", { heater: ["Switch:5.on"] });
  const [placed] = (await open()).place("board", [relay("heater")]);
  expect(placed?.addresses).toEqual([{ service: "Switch", index: "4", property: "on" }]);
});
