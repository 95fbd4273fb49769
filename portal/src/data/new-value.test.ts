/** What an event puts into what was fetched. */
import type { PropertyItem, ServiceList } from "@porchlight/shared/api";
import { expect, test } from "vitest";
import { withDeviceValue, withValue } from "./services.ts";

const item = (value: number, observedAt: string): PropertyItem => ({
  ecosystemId: "eco_1",
  id: "env_1",
  deviceId: "dev_1",
  service: "LightColor",
  index: "0",
  property: "hue",
  value,
  modifiedAt: observedAt,
  observedAt,
});
const NOON = "2026-11-21 12:00:00Z";
const LATER = "2026-11-21 12:00:01Z";
const list = (observedAt?: string): ServiceList => ({
  items: [
    {
      service: "LightColor",
      index: "0",
      properties: [
        {
          property: "hue",
          type: "number",
          access: ["read"],
          ...(observedAt && { value: 10, modifiedAt: observedAt, observedAt }),
        },
      ],
    },
    { service: "Switch", index: "0", properties: [{ property: "on", type: "boolean", access: ["read"] }] },
  ],
});

test("a new value stands in its property, and the rest is the very same", () => {
  const before = list(NOON);
  const after = withValue(before, item(120, LATER));
  expect(after.items[0]?.properties[0]).toMatchObject({ value: 120, observedAt: LATER });
  expect(after.items[1]).toBe(before.items[1]);
  expect(withValue(list(), item(120, NOON)).items[0]?.properties[0]).toMatchObject({ value: 120 });
});

test("an event from before what is shown was fetched changes nothing", () => {
  const known = list(LATER);
  expect(withValue(known, item(5, NOON))).toBe(known);
});

test("of many devices only the list of that one is another, and of an unknown device nothing is", () => {
  const all = new Map([
    ["dev_1", list(NOON)],
    ["dev_2", list(NOON)],
  ]);
  const after = withDeviceValue(all, item(120, LATER));
  expect(after.get("dev_1")?.items[0]?.properties[0]).toMatchObject({ value: 120 });
  expect(after.get("dev_2")).toBe(all.get("dev_2"));
  expect(withDeviceValue(all, { ...item(5, LATER), deviceId: "dev_9" })).toBe(all);
});
