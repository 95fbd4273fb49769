/** Values of many devices, and what an event changes in them. */
import type { StreamItem, StreamOptions } from "@porchlight/sdk";
import type { PropertyItem } from "@porchlight/shared/api";
import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { valuesQuery, withDeviceValue } from "./values.ts";

const NOON = "2026-11-21 12:00:00Z";
const LATER = "2026-11-21 12:00:01Z";
const item = (deviceId: string, value: number, observedAt = NOON): PropertyItem => ({
  ecosystemId: "eco_1",
  id: "env_1",
  deviceId,
  service: "LightColor",
  index: "0",
  property: "hue",
  value,
  modifiedAt: observedAt,
  observedAt,
});

test("they are the beginning of a stream, which is then left", async () => {
  const asked: StreamOptions[] = [];
  let isLeft = false;
  async function* events(options: StreamOptions = {}): AsyncGenerator<StreamItem, void, undefined> {
    asked.push(options);
    try {
      yield { kind: "snapshot", sequence: 7, items: [item("dev_1", 1), item("dev_2", 2)] };
      yield { kind: "reset" };
    } finally {
      isLeft = true;
    }
  }
  const values = await new QueryClient().fetchQuery(valuesQuery({ events }, "env_1"));
  expect(values.get("dev_2")).toEqual([item("dev_2", 2)]);
  expect(asked).toMatchObject([{ environmentId: "env_1", snapshot: true }]);
  expect(isLeft).toBe(true);
});

test("a newer value takes the place of an older one, and never the other way round", () => {
  const values = new Map([["dev_1", [item("dev_1", 1, LATER)]]]);
  expect(withDeviceValue(values, item("dev_1", 2, NOON))).toBe(values);
  expect(withDeviceValue(values, item("dev_1", 3, LATER)).get("dev_1")).toEqual([item("dev_1", 3, LATER)]);
  expect(withDeviceValue(values, item("dev_9", 4)).get("dev_9")).toEqual([item("dev_9", 4)]);
});
