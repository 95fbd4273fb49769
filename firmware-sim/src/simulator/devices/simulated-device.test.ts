import { seededRandom, VirtualClock } from "@porchlight/shared/kernel";
import { addressKey, type Value } from "@porchlight/shared/model";
import { describe, expect, test } from "vitest";
import { KINDS, kindBehaviours } from "./kinds.ts";
import { SimulatedDevice } from "./simulated-device.ts";

function made(kind: string, initial: [string, Value][] = []) {
  const clock = new VirtualClock();
  const reported: [string, Value, boolean][] = [];
  const row = KINDS.get(kind);
  const services = row?.services ?? [];
  const behaviours = row && kindBehaviours(row, false);
  const device = SimulatedDevice.start({
    definition: { edgeId: "02-00-00-00-00-01", services, behaviours },
    clock,
    random: seededRandom(1),
    tell: (_, address, value, event) => reported.push([addressKey(address), value, event]),
  });
  for (const [where, value] of initial) device.turn(where, value);
  reported.length = 0;
  return { clock, device, reported };
}

describe("a device", () => {
  test("reports a change by hand once", () => {
    const { device, reported } = made("two-gang-switch");
    device.turn("Switch:1.on", true);
    device.turn("Switch:1.on", true);
    expect(reported).toEqual([["Switch:1.on", true, false]]);
    expect(device.values.get("Switch:1.on")).toBe(true);
  });

  test("reports every press", () => {
    const { device, reported } = made("button");
    device.press("Button.event", "press");
    device.press("Button.event", "press");
    expect(reported).toEqual([
      ["Button:0.event", "press", true],
      ["Button:0.event", "press", true],
    ]);
  });

  test("may say a number out of range: sensors do that", () => {
    const { device } = made("contact-sensor");
    device.turn("Battery.percent", 104);
    expect(device.read("Battery.percent")).toBe(104);
  });

  test.each([
    ["Switch.off", true, "Service Property Invalid"],
    ["Switch", true, "Service Property Invalid"],
    ["Switch.on", "yes", "Property Value Invalid"],
  ])("has no %s that could be %s", (where, value, name) => {
    const { device } = made("two-gang-switch");
    expect(() => device.turn(where, value)).toThrow(expect.objectContaining({ name }));
  });

  test("with a value cannot be pressed", () => {
    expect(() => made("two-gang-switch").device.press("Switch.on", true)).toThrow(
      expect.objectContaining({ name: "Service Property Invalid" }),
    );
  });
});

describe("a thermostat", () => {
  test.each([
    ["heat", 21, 20, "heating"],
    ["heat", 21, 22, "idle"],
    ["cool", 21, 22, "cooling"],
    ["auto", 21, 22, "cooling"],
    ["off", 21, 10, "idle"],
  ])("in mode %s with target %i at %i °C is %s", (mode, target, celsius, activity) => {
    const { device } = made("thermostat", [
      ["Thermostat.mode", mode],
      ["Thermostat.target", target],
      ["Temperature.celsius", celsius],
    ]);
    expect(device.read("Thermostat.activity")).toBe(activity);
  });

  test("whose target is written reports what follows from it, not the target", () => {
    const { device, reported } = made("thermostat", [
      ["Thermostat.mode", "heat"],
      ["Thermostat.target", 20],
      ["Temperature.celsius", 20.5],
    ]);
    device.apply({ service: "Thermostat", index: "0", property: "target" }, 22);
    expect(reported).toEqual([["Thermostat:0.activity", "heating", false]]);
  });
});

describe("a cover", () => {
  test("that is sent elsewhere on its way turns round", async () => {
    const { clock, device } = made("cover", [["Cover.position", 100]]);
    const position = { service: "Cover", index: "0", property: "position" };
    device.apply(position, 0);
    await clock.advance(1000);
    expect(device.read(position)).toBe(80);
    device.apply(position, 95);
    expect(device.read("Cover.movement")).toBe("opening");
    await clock.advance(5000);
    expect([device.read(position), device.read("Cover.movement")]).toEqual([95, "stopped"]);
  });
});
