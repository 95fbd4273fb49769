/** Values of a run: no two writes of a property have the same, nor has a person. */
import { expect, test } from "vitest";
import { LIGHT, propertiesOf, SHUTTER, Values } from "./properties.ts";

test.each([
  ["light", LIGHT, 20_000, 5000],
  ["Matter device", SHUTTER, 2400, 490],
] as const)("each value of a %s is given out once, and is none that it begins with", (_name, kind, writes, turns) => {
  const values = new Values();
  for (const property of propertiesOf(kind)) {
    const given = [
      Object.entries(kind.first).find(([name]) => name === property)?.[1],
      ...Array.from({ length: writes }, () => values.written(kind, property)),
      ...Array.from({ length: turns }, () => values.turned(kind, property)),
    ];
    expect(new Set(given).size).toBe(1 + writes + turns);
  }
});

test("values that a shutter is set to within a short time are far apart: a value that is near enough counts as there", () => {
  const values = new Values();
  const given = Array.from({ length: 2000 }, () => values.written(SHUTTER, "Cover:1.target"));
  for (const [at, value] of given.entries())
    for (const other of given.slice(at + 1, at + 60)) expect(Math.abs(value - other)).toBeGreaterThan(0.5);
});

test("a run that has asked for every value ends, and names the cause", () => {
  const values = new Values();
  const all = () => {
    for (;;) values.written(SHUTTER, "Thermostat:2.target");
  };
  expect(all).toThrow(/no values left/);
});
