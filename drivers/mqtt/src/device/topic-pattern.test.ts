/** Topics and filters. */
import { expect, test } from "vitest";
import { topicPattern } from "../described-devices.ts";

test.for<[string, string, boolean]>([
  ["z/bridge/devices", "z/bridge/devices", true],
  ["z/bridge/devices", "z/bridge/devices/x", false],
  ["z.a/b", "zza/b", false],
  ["h/+/+/config", "h/light/lamp/config", true],
  ["h/+/+/config", "h/light/node/lamp/config", false],
  ["h/+/config", "h//config", true],
  ["h/#", "h/a/b", true],
  ["h/#", "h", true],
  ["h/#", "hall", false],
  ["#", "a/b", true],
])("%s and %s: %j", ([filter, topic, isMatched]) => {
  expect(topicPattern(["other", filter]).test(topic)).toBe(isMatched);
});

test("no filter matches nothing", () => {
  expect(topicPattern([]).test("")).toBe(false);
});
