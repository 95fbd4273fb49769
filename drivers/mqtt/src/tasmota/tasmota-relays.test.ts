/** Relays, shutters and lights of a Tasmota device: their addresses when its configuration changes, and what its messages say of them. */
import { memoryStore } from "@porchlight/driver-kit/kept/memory-store.fixture.ts";
import { describe, expect, test } from "vitest";
import { KeptThings } from "../device/kept-things.ts";
import { deviceWith, find, reading, writing } from "./described-device.fixture.ts";

/** One hub for the length of a test: what it keeps outlives each dialect. */
function hub() {
  const kept = new KeptThings(memoryStore());
  /** What each address commands, of the device as it is configured from now on. */
  return (config: object) => {
    const device = deviceWith(config, undefined, kept);
    kept.keepAddresses(device);
    const settable = device.properties.filter(({ set }) => set).map(({ address }) => address);
    return Object.fromEntries(
      settable.map(({ service, index, property }) => {
        const selector = `${service}:${index}.${property}`;
        return [selector, writing(device, selector, true)?.[0]?.split("/").at(-1)];
      }),
    );
  };
}

describe("a relay keeps its address", () => {
  test("when another comes, leaves, or becomes that of a shutter", () => {
    const has = hub();
    const both = { "Switch:1.on": "POWER1", "Switch:2.on": "POWER2" };
    expect(has({ rl: [1, 1] })).toEqual(both);
    expect(has({ rl: [0, 1] })).toEqual({ "Switch:2.on": "POWER2" });
    expect(has({ rl: [1, 0] })).toEqual({ "Switch:1.on": "POWER1" });
    expect(has({ rl: [1, 1, 1] })).toEqual({ ...both, "Switch:3.on": "POWER3" });
    expect(has({ rl: [3, 3, 1] })).toEqual({ "Switch:3.on": "POWER3", "Cover:0.target": "ShutterPosition1" });
    expect(has({ rl: [1, 1] })).toEqual(both);
  });

  test("that it had as the only one", () => {
    const has = hub();
    expect(has({ rl: [1] })).toEqual({ "Switch:0.on": "POWER1" });
    expect(has({ rl: [1, 1] })).toEqual({ "Switch:0.on": "POWER1", "Switch:2.on": "POWER2" });
    expect(has({ rl: [0, 1] })).toEqual({ "Switch:2.on": "POWER2" });
    expect(has({ rl: [0, 0, 1] })).toEqual({ "Switch:1.on": "POWER3" });
  });
});

test("a shutter keeps its address when another comes", () => {
  const has = hub();
  expect(has({ rl: [3, 3] })).toEqual({ "Cover:0.target": "ShutterPosition1" });
  expect(has({ rl: [3, 3, 3, 3] })).toEqual({
    "Cover:0.target": "ShutterPosition1",
    "Cover:2.target": "ShutterPosition2",
  });
  expect(has({ rl: [3, 3] })).toEqual({ "Cover:0.target": "ShutterPosition1" });
});

test("what a device is is reported on the topic of answers, from time to time, and in answers to others", () => {
  const device = deviceWith({ rl: [1] });
  expect(find(device, "Switch:0.on")?.state).toMatchObject({
    topic: "stat/socket/RESULT",
    also: ["tele/socket/STATE", "stat/socket/STATUS11"],
  });
  expect(reading(device, "Switch:0.on", { Time: "2026-11-28T07:00:00", Uptime: "1T", POWER: "ON" })).toBe(true);
  expect(reading(device, "Switch:0.on", { StatusSTS: { POWER: "OFF" } })).toBe(false);
  const byCommand = deviceWith({ rl: [1, 1], so: { "4": 1 } });
  expect(find(byCommand, "Switch:2.on")?.state).toMatchObject({
    topic: "stat/socket/POWER2",
    also: ["tele/socket/STATE", "stat/socket/STATUS11"],
  });
});

test("a shutter is reported with the sensors too", () => {
  const shutter = deviceWith({ rl: [3, 3] }, { Shutter1: { Position: 0, Direction: 0, Target: 0 } });
  expect(find(shutter, "Cover:0.position")?.state).toMatchObject({
    also: expect.arrayContaining(["tele/socket/SENSOR"]),
  });
  expect(shutter.leftAside).toEqual({});
});

describe("a value", () => {
  const socket = deviceWith({ rl: [1] });
  const light = deviceWith({ rl: [2], lt_st: 5 });
  const shutter = deviceWith({ rl: [3, 3] });
  const turned = deviceWith({ rl: [3, 3], sho: [1] });
  const white = '"HSBColor":"210,80,0","White":60,"CT":250';
  const colour = '"HSBColor":"210,80,60","White":0,"CT":250';
  test.for<[name: string, device: typeof socket, message: string, selector: string, value: unknown]>([
    ["a relay", socket, '{"POWER":"on"}', "Switch:0.on", true],
    ["a relay", socket, '{"POWER":"TOGGLE"}', "Switch:0.on", null],
    ["a relay", socket, '{"POWER":null}', "Switch:0.on", null],
    ["a relay", socket, '{"POWER":254}', "Switch:0.on", null],
    ["a relay", socket, '{"Uptime":NaN,"POWER":"ON"}', "Switch:0.on", true],
    ["a light", light, '{"Dimmer":"40"}', "LightLevel:0.level", 40],
    ["a light", light, '{"Dimmer":255}', "LightLevel:0.level", null],
    ["a light", light, '{"CT":0}', "LightTemperature:0.kelvin", null],
    ["a light", light, '{"CT":65535}', "LightTemperature:0.kelvin", null],
    ["a light", light, '{"HSBColor":"400,80,60"}', "LightColor:0.hue", null],
    ["a light", light, '{"HSBColor":"210,80"}', "LightColor:0.hue", null],
    ["a white light", light, `{${white}}`, "LightColor:0.hue", null],
    ["a white light", light, `{${white}}`, "LightTemperature:0.kelvin", 4000],
    ["a coloured light", light, `{${colour}}`, "LightColor:0.saturation", 80],
    ["a coloured light", light, `{${colour}}`, "LightTemperature:0.kelvin", null],
    ["a dark light", light, '{"HSBColor":"210,80,0","White":0,"CT":250}', "LightTemperature:0.kelvin", 4000],
    ["a shutter", shutter, '{"Shutter1":{"Position":101}}', "Cover:0.position", null],
    ["a shutter", shutter, '{"Shutter1":{"Position":"30"}}', "Cover:0.position", 30],
    ["a shutter", shutter, '{"Shutter1":{"Position":255}}', "Cover:0.position", null],
    ["a shutter", shutter, '{"Shutter1":{"Direction":7}}', "Cover:0.movement", null],
    ["a shutter", shutter, '{"Shutter1":{"Direction":-1}}', "Cover:0.movement", "closing"],
    ["a shutter", shutter, '{"Shutter1":null}', "Cover:0.movement", null],
    ["a turned shutter", turned, '{"Shutter1":{"Position":-1}}', "Cover:0.position", null],
    ["a turned shutter", turned, '{"Shutter1":{"Direction":-1}}', "Cover:0.movement", "opening"],
  ])("of %s (%#)", ([, device, message, selector, value]) => {
    expect(reading(device, selector, message)).toBe(value);
  });
});
