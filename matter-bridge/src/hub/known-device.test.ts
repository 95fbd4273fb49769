/** What the bridge keeps of a device: its name, and which of its values changed later. */
import type { Device, PropertyItem } from "@porchlight/shared/api";
import { expect, test } from "vitest";
import { KnownDevice } from "./known-device.ts";

function device(about: object): Device {
  return {
    id: "dev_1",
    type: "physical",
    meta: {},
    connection: { state: "online", since: "" },
    ...about,
  } as unknown as Device;
}

test.each([
  [{ alias: "lamp", meta: { "$.name": "Reading lamp", "$.model": "L1" } }, "Reading lamp"],
  [{ alias: "lamp", meta: { "$.model": "L1" } }, "lamp"],
  [{ meta: { "$.model": "L1" } }, "L1"],
  [{}, "dev_1"],
])("of %j the name is %s", (about, name) => {
  expect(new KnownDevice(device(about)).shown(true).name).toBe(name);
});

test("it can be reached while the hub is there and has it on its line", () => {
  const lamp = new KnownDevice(device({}));
  expect([lamp.shown(true).isReachable, lamp.shown(false).isReachable]).toEqual([true, false]);
  lamp.becomes(device({ connection: { state: "unknown", since: "" } }));
  expect(lamp.shown(true).isReachable).toBe(false);
});

test("of two values of one second the later is later, and a repeated one has not changed", () => {
  const lamp = new KnownDevice(device({}));
  const says = (property: string, value: number) =>
    lamp.says({
      service: "L",
      index: "0",
      property,
      value,
      modifiedAt: "2026-11-26 12:00:00Z",
    } as unknown as PropertyItem);
  const order = () => lamp.values.changedAt("L:0.hue") > lamp.values.changedAt("L:0.kelvin");
  says("kelvin", 2700);
  says("hue", 40);
  expect(order()).toBe(true);
  says("kelvin", 3000);
  expect(order()).toBe(false);
  says("hue", 40);
  expect(order()).toBe(false);
});

test("what it last reported is as old as the hub states, in any order of the list", () => {
  const lamp = new KnownDevice(device({}));
  const on = (property: string, second: number) => {
    return { property, type: "number", access: ["read"], value: second, modifiedAt: `2026-11-26 12:00:0${second}Z` };
  };
  const services = [{ service: "L", index: "0", properties: [on("hue", 5), on("kelvin", 2)] }];
  lamp.describedAs(services as unknown as Parameters<KnownDevice["describedAs"]>[0]);
  expect(lamp.values.changedAt("L:0.hue")).toBeGreaterThan(lamp.values.changedAt("L:0.kelvin"));
});
