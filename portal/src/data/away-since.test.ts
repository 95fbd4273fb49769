/** Since when a device is in its state, as pages show it. */
import { expect, test } from "vitest";
import { awaySince, hasConnected } from "./hubs.ts";

const [HEARD, FOUND_OUT, BEFORE] = ["2026-11-24 14:00:00Z", "2026-11-24 14:00:15Z", "2026-11-24 13:00:00Z"];
const hub = { state: "offline", since: FOUND_OUT, lastSeenAt: HEARD } as const;

test("a device whose hub is silent is unknown since the hub's last contact", () => {
  expect(awaySince({ state: "unknown", since: FOUND_OUT }, hub)).toBe(HEARD);
});

test("a device that does not answer its hub is offline since the hub's report", () => {
  expect(awaySince({ state: "offline", since: BEFORE }, hub)).toBe(BEFORE);
});

test("while its hub is not fetched, there is no time: the device's own is the time of detection", () => {
  expect(awaySince({ state: "unknown", since: FOUND_OUT }, undefined)).toBeUndefined();
});

test("without a last contact of the hub, the time of the device's own connection counts", () => {
  expect(awaySince({ state: "unknown", since: FOUND_OUT }, { state: "offline", since: FOUND_OUT })).toBe(FOUND_OUT);
});

test("an unknown device with an online hub has no time until both are fetched again", () => {
  const back = { state: "online", since: "2026-11-24 14:00:30Z", lastSeenAt: "2026-11-24 14:00:35Z" } as const;
  expect(awaySince({ state: "unknown", since: FOUND_OUT }, back)).toBeUndefined();
});

test("a hub with a known agent has connected, even without a last contact", () => {
  const offline = { state: "offline", since: FOUND_OUT } as const;
  expect([offline, { ...offline, agentVersion: "1.0.0" }, hub].map(hasConnected)).toEqual([false, true, true]);
});
