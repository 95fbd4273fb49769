/** Which devices are shown, as a table. */
import type { Device } from "@porchlight/shared/api";
import { expect, test } from "vitest";
import { type Choice, isChosen } from "./known-device.ts";

const ALL: Choice = { show: "all", hide: [] };

function device(about: object = {}): Device {
  const lamp = { id: "dev_1", edgeId: "02-00-00-00-00-01", alias: "lamp", type: "physical", meta: {} };
  return { ...lamp, ...about } as Device;
}

test.each<[string, Device, Choice, boolean]>([
  ["any", device(), ALL, true],
  ["one that is hidden by its ID", device(), { ...ALL, hide: ["dev_1"] }, false],
  ["one that is hidden by its edgeId", device(), { ...ALL, hide: ["02-00-00-00-00-01"] }, false],
  ["one that is hidden by its alias", device(), { ...ALL, hide: ["lamp"] }, false],
  ["one that is listed", device(), { show: ["lamp"], hide: [] }, true],
  ["one that is not listed", device(), { show: ["other"], hide: [] }, false],
  ["one that is both", device(), { show: ["lamp"], hide: ["lamp"] }, false],
  ["one without an alias", device({ alias: undefined }), { show: ["lamp"], hide: [] }, false],
  ["one that the hub has through Matter", device({ meta: { "$.transport": "matter 00A1" } }), ALL, false],
  ["the same, listed", device({ meta: { "$.transport": "matter 00A1" } }), { show: ["lamp"], hide: [] }, true],
  ["one that the hub has otherwise", device({ meta: { "$.transport": "mqtt 127.0.0.1" } }), ALL, true],
  ["a virtual one", device({ type: "virtual" }), ALL, false],
])("%s", (_what, of, choice, isShown) => {
  expect(isChosen(of, choice)).toBe(isShown);
});
