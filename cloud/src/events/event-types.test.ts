/** The JSON of a change is that of its parts. */
import { UNKNOWN_TIME } from "@porchlight/shared/model";
import { propertyItem } from "@porchlight/shared/rest";
import { expect, it } from "vitest";
import { propertyChanged } from "./index.ts";

const PLACE = { ecosystemId: "eco_1", environmentId: "env_1", deviceId: "dev_1" };
const ADDRESS = { service: "LightColor", index: "0", property: "hue" };
const CAUSE = { kind: "command", commandId: "cmd_1", tokenId: "tok_1" } as const;
const stored = (value: unknown, at: number) => ({
  value: JSON.stringify(value),
  number: 1,
  modifiedAt: at,
  observedAt: at,
});

it.each([
  ["a value after another", stored(120.5, 1_000), stored(119, 0)],
  ["the first value", stored('on \u2028 "off"', 1_000), undefined],
  ["no value any more", stored(null, 1_000), stored({ a: [1, null] }, 0)],
  ["the first after none", stored(true, 1_000), stored(null, 0)],
  ["a value of unknown age", stored(-0.25, UNKNOWN_TIME), undefined],
])("of %s", (_title, now, previous) => {
  const { type, environmentId, text } = propertyChanged(PLACE, ADDRESS, { stored: now, previous, cause: CAUSE });
  const before = previous && { previousValue: JSON.parse(previous.value) };
  expect([type, environmentId]).toEqual(["property.changed", "env_1"]);
  expect(text).toBe(JSON.stringify({ item: propertyItem(PLACE, ADDRESS, now), ...before, cause: CAUSE }));
});
