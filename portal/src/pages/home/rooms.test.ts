/** A home as its rooms. */
import type { Device, ServiceDescriptor, Zone } from "@porchlight/shared/api";
import { expect, test } from "vitest";
import { climateOf, concernsOf, roomsOf } from "./rooms.ts";

const AT = "2026-11-21 12:00:00Z";
const device = (id: string, state: "online" | "offline" | "unknown" = "online", name = id): Device => ({
  ...{ id, ecosystemId: "eco_1", environmentId: "env_1", type: "physical", createdAt: AT },
  meta: { "$.name": name },
  connection: { state, since: AT },
});
const zone = (alias: string, ...items: string[]): Zone => ({
  ...{ id: `zon_${alias}`, alias, ecosystemId: "eco_1", environmentId: "env_1", meta: {}, createdAt: AT, items },
});
const service = (name: string, values: Record<string, unknown>): ServiceDescriptor => ({
  service: name,
  index: "0",
  properties: Object.entries(values).map(([property, value]) => ({
    ...{ property, type: "number", access: ["read"] },
    value: value as number,
  })),
});

test("rooms and the devices in them are by name, empty ones are left out, and what is in none comes last", () => {
  const devices = [device("b", "online", "lamp 10"), device("a", "online", "lamp 9"), device("c")];
  const rooms = roomsOf([zone("kitchen", "b", "a", "gone"), zone("attic"), zone("bath", "a")], devices);
  expect(rooms.map((room) => [room.zone?.alias, room.devices.map(({ id }) => id)])).toEqual([
    ["bath", ["a"]],
    ["kitchen", ["a", "b"]],
    [undefined, ["c"]],
  ]);
});

test("a danger comes before what is away, and that before batteries", () => {
  const services = new Map([
    ["smoke", { items: [service("Smoke", { detected: true })] }],
    ["door", { items: [service("Battery", { percent: 9, low: true })] }],
    ["gone", { items: [service("Battery", { low: true }), service("Smoke", { detected: true })] }],
    ["well", { items: [service("Battery", { percent: 12, low: false })] }],
    ["old", { items: [service("Battery", { percent: 12 })] }],
  ]);
  const devices = [device("door"), device("gone", "unknown"), device("smoke"), device("well"), device("old")];
  expect(concernsOf(devices, services).map(({ kind, device: { id } }) => `${kind} ${id}`)).toEqual([
    ...["danger smoke", "away gone", "battery door", "battery old"],
  ]);
  expect(concernsOf(devices, undefined)).toHaveLength(1);
});

test("the climate of a room is what is measured there now", () => {
  const services = new Map([
    ["a", { items: [service("Temperature", { celsius: 20.5 }), service("Humidity", { percent: 40 })] }],
    ["b", { items: [service("Temperature", { celsius: 22 })] }],
    ["c", { items: [service("Temperature", { celsius: 5 })] }],
  ]);
  const devices = [device("a"), device("b"), device("c", "offline")];
  expect(climateOf(devices, services)).toEqual({ temperature: [20.5, 22], humidity: [40, 40] });
  expect(climateOf(devices, undefined)).toEqual({ temperature: undefined, humidity: undefined });
});
