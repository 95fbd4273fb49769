/** Which devices a list shows. */
import type { Device, Zone } from "@porchlight/shared/api";
import { describe, expect, test } from "vitest";
import { capabilitiesAmong, contentsOf, deviceFilters, filtered, zonesOf } from "./filters.ts";

const AT = "2026-11-21 12:00:00Z";
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

const service = (name: string) => ({ service: name, index: "0", properties: [] });

describe("filters", () => {
  const zones = [zone("zon_house", ["zon_room", "dev_1"]), zone("zon_room", ["dev_2"])];
  const devices = [
    device("dev_1"),
    device("dev_2", { clientId: "cli_1", connection: { state: "unknown", since: AT } }),
    { ...device("dev_3", { type: "virtual" }), connection: undefined },
  ];
  const found = (filters: Parameters<typeof filtered>[1]) =>
    filtered(devices, filters, { zones, services }).map(({ id }) => id);
  const services = new Map([
    ["dev_1", { items: [service("Switch"), service("LightLevel")] }],
    ["dev_2", { items: [service("Contact"), service("Battery")] }],
  ]);

  test("go by zone with the zones in it, by type, state, hub and capability", () => {
    expect(found({})).toHaveLength(3);
    expect(found({ zone: "zon_house" })).toEqual(["dev_1", "dev_2"]);
    expect(found({ zone: "zon_room" })).toEqual(["dev_2"]);
    expect(found({ zone: "zon_gone" })).toEqual([]);
    expect(found({ type: "virtual" })).toEqual(["dev_3"]);
    expect(found({ state: "unknown" })).toEqual(["dev_2"]);
    expect(found({ state: "online" })).toEqual(["dev_1", "dev_3"]);
    expect(found({ capability: "light" })).toEqual(["dev_1"]);
    expect(found({ capability: "battery", hub: "cli_1" })).toEqual(["dev_2"]);
    expect(found({ hub: "cli_9" })).toEqual([]);
  });

  test("come from the address, as far as they are any", () => {
    expect(deviceFilters({ zone: "zon_1", type: "virtual", state: "online" })).toEqual({
      zone: "zon_1",
      type: "virtual",
      state: "online",
    });
    expect(deviceFilters({ zone: 1, type: "toString", state: "<b>", capability: "constructor", text: "" })).toEqual({});
    expect(deviceFilters({ text: 12, capability: "light", hub: "cli_1", sort: "-name" })).toEqual({
      ...{ text: "12", capability: "light", hub: "cli_1", sort: "-name" },
    });
  });

  test("offer the capabilities that there are", () => {
    expect(capabilitiesAmong(services)).toEqual(["battery", "contact", "light", "switch"]);
    expect(capabilitiesAmong(undefined)).toEqual([]);
  });

  test("know the zones that a device stands in directly", () => {
    expect(zonesOf("dev_2", zones).map(({ id }) => id)).toEqual(["zon_room"]);
    expect([...contentsOf("zon_house", zones)]).toEqual(["zon_room", "dev_2", "dev_1"]);
  });
});
