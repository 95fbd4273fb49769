import { expect, test } from "vitest";
import { described, onlyDevice } from "./discovery.fixture.ts";

test.for([
  ["Power-on behavior", "powerOnBehavior"],
  ["Kitchen lamp Duration", "duration"],
  ["Kitchen lamps", "kitchenLamps"],
  ["CO2 (ppm)", "co2Ppm"],
  ["Außenfühler", "aussenfuhler"],
  ["温度", "object1"],
  ["2nd floor", "object1"],
  ["", "object1"],
  ["Kitchen lamp", "object1"],
  ["x".repeat(100), "x".repeat(60)],
])("a number that is called %j is the property %s", ([name, property]) => {
  const device = { identifiers: "d", name: "Kitchen lamp" };
  const shown = described(onlyDevice({ "number/n/object_1": { name, command_topic: "x", device } }));
  expect(Object.keys(shown)).toEqual([`Settings:0.${property}`]);
});

test("an object id that begins with a digit is a name all the same", () => {
  const shown = described(onlyDevice({ "number/n/0x12": { command_topic: "x" } }));
  expect(Object.keys(shown)).toEqual(["Settings:0.n0x12"]);
});
