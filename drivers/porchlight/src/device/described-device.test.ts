import { worthOf } from "@porchlight/driver-kit";
import { standardProperty } from "@porchlight/shared/model";
import { expect, test } from "vitest";
import { LAMP_SERVICES } from "../scripted-node.fixture.ts";
import { DescribedDevice } from "./described-device.ts";

const level = standardProperty("LightLevel", "level");
const movement = standardProperty("Cover", "movement");
if (!level || !movement) throw new Error("the catalogue has changed");

test.each([
  ["a number in its range", level, 40, "good"],
  ["a number above it", level, 100.5, "out_of_range"],
  ["a number below it", level, -1, "out_of_range"],
  ["a text for a number", level, "40", "wrong_type"],
  ["a list for a number", level, [40], "wrong_type"],
  ["a text that is too large as JSON", movement, "\u0001".repeat(4_000), "wrong_type"],
  ["no value at present", level, null, "good"],
  ["a text", movement, "opening", "good"],
] as const)("%s: what it is worth (%#)", (_says, description, value, worth) => {
  expect(worthOf(description, value)).toBe(worth);
});

test("two descriptions with the same content are equal, also as different objects", () => {
  const one = new DescribedDevice(LAMP_SERVICES, { model: "A" });
  expect(one.equals(new DescribedDevice(JSON.parse(JSON.stringify(LAMP_SERVICES)), { model: "A" }))).toBe(true);
  expect(one.equals(new DescribedDevice(LAMP_SERVICES, { model: "B" }))).toBe(false);
  expect(one.equals(new DescribedDevice(LAMP_SERVICES.slice(1), { model: "A" }))).toBe(false);
});

test("what only notifies is not read, and the hub's own service is not the node's", () => {
  const device = new DescribedDevice(LAMP_SERVICES, {});
  expect(device.readable().map(({ address }) => address.property)).toEqual(["on", "level"]);
  expect(device.find("Identify", "0", "active")).toBeUndefined();
});
