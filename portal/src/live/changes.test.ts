/** What events change in what is shown. */
import type { PropertyItem, ServiceList } from "@porchlight/shared/api";
import { expect, test } from "vitest";
import { staleBy, withValue } from "./changes.ts";

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

test("a hub's event makes its devices old too, for they have none of their own", () => {
  expect(staleBy({ type: "hub.offline" })).toEqual(["clients", "devices"]);
  expect(staleBy({ type: "property.changed" })).toEqual([]);
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
