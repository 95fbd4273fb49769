/** What a list of devices shows of each, and which of them. */
import type { Device, PropertyItem, Zone } from "@porchlight/shared/api";
import { describe, expect, test } from "vitest";
import { contentsOf, deviceFilters, filtered, zonesOf } from "./filters.ts";
import { tellingOf } from "./telling.ts";

const AT = "2026-11-21 12:00:00Z";
const item = (name: string, value: PropertyItem["value"], index = "0"): PropertyItem => {
  const [service = "", property = ""] = name.split(".");
  const times = { modifiedAt: AT, observedAt: AT };
  return { ecosystemId: "eco_1", id: "env_1", deviceId: "dev_1", service, index, property, value, ...times };
};
const names = (items: PropertyItem[]) =>
  tellingOf(items).map((each) => (each.kind === "colour" ? "colour" : `${each.item.service}.${each.item.property}`));

describe("the values that tell most", () => {
  test("are what a person looks for first, colour as one", () => {
    const lamp = ["Identify.active", "LightColor.saturation", "LightColor.hue", "LightLevel.level", "Switch.on"];
    expect(names(lamp.map((name) => item(name, 1)))).toEqual(["Switch.on", "LightLevel.level", "colour"]);
    expect(names([item("LightColor.saturation", 5)])).toEqual(["LightColor.saturation"]);
  });

  test("are a low battery before all, and a good one at the end", () => {
    const door = (isLow: boolean) => [
      item("Battery.low", isLow),
      item("Battery.percent", 93),
      item("Contact.open", false),
    ];
    expect(names(door(false))).toEqual(["Contact.open", "Battery.percent"]);
    expect(names(door(true))[0]).toBe("Battery.low");
  });

  test("are those of classes of one's own too, and none of what only serves the device", () => {
    const quiet = [item("Signal.rssi", -60), item("Readings.linkquality", 200), item("Settings.effect", "blink")];
    expect(names([...quiet, item("Kettle.target", 95)])).toEqual(["Kettle.target"]);
  });
});

const device = (id: string, more: Partial<Device> = {}): Device => ({
  id,
  ecosystemId: "eco_1",
  environmentId: "env_1",
  type: "physical",
  meta: {},
  createdAt: AT,
  connection: { state: "online", since: AT },
  ...more,
});
const zone = (id: string, items: string[]): Zone => ({
  id,
  ecosystemId: "eco_1",
  environmentId: "env_1",
  meta: {},
  createdAt: AT,
  items,
});

describe("filters", () => {
  const zones = [zone("zon_house", ["zon_room", "dev_1"]), zone("zon_room", ["dev_2"])];
  const devices = [
    device("dev_1"),
    device("dev_2", { connection: { state: "unknown", since: AT } }),
    { ...device("dev_3", { type: "virtual" }), connection: undefined },
  ];
  const found = (filters: Parameters<typeof filtered>[1]) => filtered(devices, filters, zones).map(({ id }) => id);

  test("go by zone with the zones in it, by type and by state", () => {
    expect(found({})).toHaveLength(3);
    expect(found({ zone: "zon_house" })).toEqual(["dev_1", "dev_2"]);
    expect(found({ zone: "zon_room" })).toEqual(["dev_2"]);
    expect(found({ zone: "zon_gone" })).toEqual([]);
    expect(found({ type: "virtual" })).toEqual(["dev_3"]);
    expect(found({ state: "unknown" })).toEqual(["dev_2"]);
    expect(found({ state: "online" })).toEqual(["dev_1", "dev_3"]);
  });

  test("come from the address, as far as they are any", () => {
    expect(deviceFilters({ zone: "zon_1", type: "virtual", state: "online" })).toEqual({
      zone: "zon_1",
      type: "virtual",
      state: "online",
    });
    expect(deviceFilters({ zone: 1, type: "toString", state: "<b>" })).toEqual({});
  });

  test("know the zones that a device stands in directly", () => {
    expect(zonesOf("dev_2", zones).map(({ id }) => id)).toEqual(["zon_room"]);
    expect([...contentsOf("zon_house", zones)]).toEqual(["zon_room", "dev_2", "dev_1"]);
  });
});
