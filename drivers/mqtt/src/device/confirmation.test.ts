/** What confirms a write. */
import { standardProperty, type Value } from "@porchlight/shared/model";
import { expect, test } from "vitest";
import { confirmation } from "./device-commands.ts";

test.for<[string, string, number, Value, Value, boolean]>([
  ["Switch", "on", 0, true, true, true],
  ["Switch", "on", 0, true, false, false],
  ["LightLevel", "level", 0.2, 50, 50.2, true],
  ["LightLevel", "level", 0.2, 50, 50.3, false],
  ["LightLevel", "level", 0.2, 100, 0, false],
  ["LightLevel", "level", 0.2, 50, null, false],
  ["LightColor", "hue", 2, 360, 0.03, true],
  ["LightColor", "hue", 2, 1, 359.5, true],
  ["LightColor", "hue", 2, 1, 358.5, false],
  ["LightColor", "hue", 2, 90, 270, false],
])("%s.%s within %d: set to %j and reported %j", ([service, property, tolerance, asked, now, isConfirmed]) => {
  const description = standardProperty(service, property);
  if (!description) throw new Error("no standard property");
  expect(confirmation({ description, tolerance }, asked, undefined)(now)).toBe(isConfirmed);
});
