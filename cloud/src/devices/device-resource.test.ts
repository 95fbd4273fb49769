/** What a device's resource reports of its connection, case by case. */
import { UNKNOWN_TIME } from "@porchlight/shared/model";
import { expect, it } from "vitest";
import { deviceConnection } from "./device-events.ts";

const hub = { state: "online", since: 10 } as const;
const device = { online: 1, online_since: 100, last_seen_at: 100, observed_at: null };

it.each([
  ["when it came, while it has reported no value", device, 100],
  ["a value that it confirmed since", { ...device, observed_at: 3_600_100 }, 3_600_100],
  ["when it went, after its last value", { ...device, online: 0, last_seen_at: 900, observed_at: 500 }, 900],
  [
    "when it came, though a broker has kept a value since an unknown time",
    { ...device, observed_at: UNKNOWN_TIME },
    100,
  ],
  ["its value, when its hub never reported its arrival", { ...device, last_seen_at: null, observed_at: 7 }, 7],
  ["unknown, when nothing was heard", { ...device, last_seen_at: null, observed_at: UNKNOWN_TIME }, undefined],
])("a device was last seen: %s", (_sentence, row, expected) => {
  expect(deviceConnection(row, hub).lastSeenAt).toBe(expected);
});

it("a device of an offline hub is unknown since the hub went offline, and was last seen with it", () => {
  const away = deviceConnection({ ...device, observed_at: 500 }, { state: "offline", since: 800 });
  expect(away).toEqual({ state: "unknown", since: 800, lastSeenAt: 500 });
});
