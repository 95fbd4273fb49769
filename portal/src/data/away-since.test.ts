/** Since when a device is told to be as it is. */
import { expect, test } from "vitest";
import { awaySince, hasConnected } from "./hubs.ts";

const [HEARD, FOUND_OUT, BEFORE] = ["2026-11-24 14:00:00Z", "2026-11-24 14:00:15Z", "2026-11-24 13:00:00Z"];
const hub = { state: "offline", since: FOUND_OUT, lastSeenAt: HEARD } as const;

test("a device whose hub is silent is unknown since the hub was last heard", () => {
  expect(awaySince({ state: "unknown", since: FOUND_OUT }, hub)).toBe(HEARD);
});

test("a device that does not answer its hub is offline since the hub said so", () => {
  expect(awaySince({ state: "offline", since: BEFORE }, hub)).toBe(BEFORE);
});

test("while nothing is known of its hub, no time is told: the device's own is that of finding out", () => {
  expect(awaySince({ state: "unknown", since: FOUND_OUT }, undefined)).toBeUndefined();
});

test("a hub that was never heard leaves what the device's own connection says", () => {
  expect(awaySince({ state: "unknown", since: FOUND_OUT }, { state: "offline", since: FOUND_OUT })).toBe(FOUND_OUT);
});

test("of a device that is unknown and whose hub is heard there is nothing to tell until both are asked anew", () => {
  const back = { state: "online", since: "2026-11-24 14:00:30Z", lastSeenAt: "2026-11-24 14:00:35Z" } as const;
  expect(awaySince({ state: "unknown", since: FOUND_OUT }, back)).toBeUndefined();
});

test("a hub has connected if its agent is known, also when it is not known when it was last heard", () => {
  const offline = { state: "offline", since: FOUND_OUT } as const;
  expect([offline, { ...offline, agentVersion: "1.0.0" }, hub].map(hasConnected)).toEqual([false, true, true]);
});
