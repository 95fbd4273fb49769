/** What is sent to set a property, over the wire's own bytes, and what the device must then say for it to be so. */
import type { PropertyDescription, Value } from "@porchlight/shared/model";
import { describe, expect, test } from "vitest";
import { described } from "../described.fixture.ts";
import { ALARM, ALL_DEVICES, BLIND, BULB, HEAT_PUMP, ODDS } from "../devices.fixture.ts";
import { commandIn, type FakeEntity, fakeEntity, stateAfter, telling } from "../fake-entity.fixture.ts";
import { commandMessage, type EntityState, reportedStateOf } from "../wire/messages.ts";

function property(fakes: readonly FakeEntity[], at: string) {
  const found = described(fakes).description.properties.find(
    ({ address: { service, index, property: name } }) => `${service}:${index}.${name}` === at,
  );
  if (!found) throw new Error(`no such property: ${at}`);
  return found;
}

const stateOfFake = (fakes: readonly FakeEntity[], name: string) => fakes.find((each) => each.name === name)?.state;

/** Values that a description allows. */
function valuesFor({ type, values, min = 0, max = 100, step }: PropertyDescription): Value[] {
  if (values && values.length > 0) return [...values];
  if (type === "boolean") return [true, false];
  if (type === "string") return ["good morning"];
  const middle = min + Math.round((max - min) / 2 / (step ?? 1)) * (step ?? 1);
  return [min, max, Number(middle.toFixed(3))].map((each) => (type === "integer" ? Math.round(each) : each));
}

describe("every property that can be set", () => {
  const all = Object.entries(ALL_DEVICES).flatMap(([device, fakes]) =>
    described(fakes)
      .description.properties.filter(({ command }) => command)
      .map((each) => ({ device, fakes, each, at: `${each.address.service}.${each.address.property}` })),
  );

  test.for(all)("$device $at is so when the device has done what it was sent", ({ fakes, each }) => {
    for (const value of valuesFor(each.description)) {
      const fake = fakes.find(({ key, type }) => key === each.entity.key && type === each.entity.type);
      const command = each.command?.(value, fake?.state);
      if (!fake || !command) throw new Error("it has no command");
      const seen = commandIn(commandMessage(each.entity, command.options), [fake]);
      expect(seen, "the device knows the command for its own").toBeDefined();
      if (!command.isSo || !seen) continue;
      const after = stateAfter(seen);
      const reported = after && reportedStateOf(telling(fake, after));
      expect([value, reported && command.isSo(reported.state)]).toEqual([value, true]);
    }
  });
});

describe("what is reported is so, or is not", () => {
  const cases: readonly (readonly [string, readonly FakeEntity[], string, string, Value, EntityState, boolean])[] = [
    ["a lamp that stays off", BULB, "RGBCW Bulb", "Switch:0.on", true, { state: false }, false],
    ["a lamp at another level", BULB, "RGBCW Bulb", "LightLevel:0.level", 80, { brightness: 0.5 }, false],
    ["a level rounded to eight bits", BULB, "RGBCW Bulb", "LightLevel:0.level", 80, { brightness: 204 / 255 }, true],
    ["a colour in a mode without one", BULB, "RGBCW Bulb", "LightColor:0.hue", 30, { colorMode: 11 }, false],
    ["a blind that moves to its target", BLIND, "Blind", "Cover:0.target", 90, { currentOperation: 1 }, true],
    ["a blind that moves the other way", BLIND, "Blind", "Cover:0.target", 90, { currentOperation: 2 }, false],
    ["a blind that stands still", BLIND, "Blind", "Cover:0.target", 90, {}, false],
    ["a blind that has come closer", BLIND, "Blind", "Cover:0.target", 90, { position: 0.5 }, true],
    ["a blind that still moves", BLIND, "Blind", "Settings:0.stop", true, { currentOperation: 1 }, false],
    ["a room that has another target", HEAT_PUMP, "Living Room", "Thermostat:0.target", 23, {}, false],
    ["a lock on its way", ODDS, "Shed", "Lock:0.locked", false, { state: 5 }, false],
    ["a lock that is jammed", ODDS, "Shed", "Lock:0.locked", true, { state: 3 }, false],
    ["an alarm that is being armed", ALARM, "House", "AlarmPanel:0.target", "armed_away", { state: 7 }, true],
    ["an alarm that stays disarmed", ALARM, "House", "AlarmPanel:0.target", "armed_away", { state: 0 }, false],
  ];

  test.for(cases)("%s", ([, fakes, name, at, value, state, expected]) => {
    const before = stateOfFake(fakes, name) ?? {};
    const command = property(fakes, at).command?.(value, before);
    expect(command?.isSo?.({ ...before, ...state })).toBe(expected);
  });
});

describe("a state says", () => {
  const read = (fakes: readonly FakeEntity[], name: string, at: string, state: EntityState = {}) =>
    property(fakes, at).read?.({ ...stateOfFake(fakes, name), ...state });

  test("no colour and no colour temperature in a mode that has none", () => {
    const bulb = (at: string, state: EntityState = {}) => read(BULB, "RGBCW Bulb", at, state);
    expect([bulb("LightColor:0.hue"), bulb("LightColor:0.saturation"), bulb("LightTemperature:0.kelvin")]).toEqual([
      30,
      100,
      null,
    ]);
    const white = { colorMode: 11, colorTemperature: 250 };
    expect([bulb("LightColor:0.hue", white), bulb("LightTemperature:0.kelvin", white)]).toEqual([null, 4000]);
  });

  test("no value where the entity has none, or a number that is none", () => {
    const sensor = fakeEntity("sensor", "T", {}, { deviceClass: "temperature", unitOfMeasurement: "°F" });
    expect(read([sensor], "T", "Temperature:0.celsius", { state: 50, missingState: false })).toBe(10);
    expect(read([sensor], "T", "Temperature:0.celsius", { state: 0, missingState: true })).toBeNull();
    expect(read([sensor], "T", "Temperature:0.celsius", { state: Number.NaN })).toBeNull();
  });

  test("that a lock is neither when it is jammed or on its way", () => {
    const lock = (state: number) => [
      read(ODDS, "Shed", "Lock:0.locked", { state }),
      read(ODDS, "Shed", "Lock:0.jammed", { state }),
    ];
    expect([1, 2, 3, 4, 0].map(lock)).toEqual([
      [true, false],
      [false, false],
      [null, true],
      [null, false],
      [null, null],
    ]);
  });
});

test("what wants a code can only be watched", () => {
  const lock = fakeEntity("lock", "Door", { state: 1 }, { requiresCode: true });
  const panel = fakeEntity("alarm_control_panel", "House", { state: 0 }, { supportedFeatures: 3, requiresCode: true });
  const { properties, leftAside } = described([lock, panel]).description;
  const settable = properties
    .filter(({ command }) => command)
    .map(({ address, description }) => [address.service, description.values]);
  expect(settable).toEqual([["AlarmPanel", ["armed_home", "armed_away"]]]);
  expect(leftAside).toEqual({ lock: 1, alarm_control_panel: 1 });
});
