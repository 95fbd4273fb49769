/** What a device is to a person. */
import { expect, test } from "vitest";
import { capabilitiesOf, iconOf, kindWord } from "./capability.ts";

const of = (...names: string[]) => names.map((service) => ({ service }));

test.each([
  [["Switch", "LightLevel"], "light", "Light"],
  [["Battery", "Contact"], "contact", "Door or window"],
  [["Switch", "Electricity"], "switch", "Switch"],
  [["Fan", "Switch"], "fan", "Fan"],
  [["Temperature", "Thermostat"], "thermostat", "Thermostat"],
])("%j is a %s", (services, first, word) => {
  expect(capabilitiesOf(of(...services))[0]).toBe(first);
  expect(kindWord(of(...services))).toBe(word);
});

test("a device of custom classes is a thing", () => {
  expect(capabilitiesOf(of("Kettle", "constructor"))).toEqual([]);
  expect(iconOf(of("Kettle"))).toBe("thing");
  expect(kindWord(of("Kettle"))).toBeUndefined();
});

test("a battery alone does not determine the kind of a device", () => {
  expect(kindWord(of("Battery"))).toBeUndefined();
});
