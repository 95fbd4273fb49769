/** Which errors a later answer makes untrue. */
import { expect, test } from "vitest";
import { isContradicted, type LaterAnswer } from "./writes.ts";

const AT = 1000;
const later = (state: LaterAnswer["state"], at = AT + 1): LaterAnswer => ({ at, state });

test.each<[string, string, LaterAnswer, boolean]>([
  ["a hub that was away, and the device is online", "Hub Offline", later("online"), true],
  ["a device that was out of reach, and is online", "Device Unreachable", later("online"), true],
  ["a hub that was away, and still is", "Hub Offline", later("unknown"), false],
  ["an answer from before the error", "Hub Offline", later("online", AT), false],
  ["a service that could not be reached, and has answered", "Connection Failed", later("unknown"), true],
  ["an invalid value, with anything online", "Property Value Invalid", later("online"), false],
  ["an unknown outcome, with anything online", "Hub Timeout", later("online"), false],
])("%s", (_what, name, answer, expected) => {
  expect(isContradicted(name, AT, answer)).toBe(expected);
});
