/** Ages of the reports of a device. */
import type { Device, ServiceDescriptor } from "@porchlight/shared/api";
import { expect, test } from "vitest";
import { heard, isFresh, latestOf } from "./words.ts";

test("a device's last report is the latest of its values", () => {
  const noon = "2026-11-21 12:00:00Z";
  expect(latestOf([undefined, noon, "2026-11-20 23:00:00Z"])).toBe(noon);
  expect(latestOf([])).toBeUndefined();
});

test("the last contact of a device is its last confirmed value, fetched or not", () => {
  const connection = { state: "online", since: "2026-11-21 11:00:00Z", lastSeenAt: "2026-11-21 11:00:00Z" } as const;
  const device = { id: "dev_1", connection } as unknown as Device;
  const confirmed = (observedAt: string) => [{ properties: [{ observedAt }, {}] }] as unknown as ServiceDescriptor[];
  expect(heard(device, confirmed("2026-11-21 12:00:00Z")).connection).toEqual({
    ...connection,
    lastSeenAt: "2026-11-21 12:00:00Z",
  });
  expect(heard(device, confirmed("2026-11-21 10:00:00Z"))).toBe(device);
  const { connection: _, ...virtual } = device;
  expect(heard(virtual, confirmed("2026-11-21 12:00:00Z"))).toBe(virtual);
});

test("a value is fresh for a minute", () => {
  expect(isFresh(59_999)).toBe(true);
  expect(isFresh(60_000)).toBe(false);
  expect(isFresh(-5000)).toBe(true);
});
