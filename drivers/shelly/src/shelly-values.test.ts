/** What becomes of values whose meter fails, whose unit changes, or whose component goes; and who has which address. */
import { addressIn } from "@porchlight/driver-kit/contract/address-in.fixture.ts";
import { describe, expect, test } from "vitest";
import { type Captured, RELAYS, THREE_PHASES } from "./captured.fixture.ts";
import type { FakeShelly } from "./fake-shelly.fixture.ts";
import { ShellyHome } from "./shelly-home.fixture.ts";

async function homeWith(captured: Captured) {
  const home = new ShellyHome();
  const device = home.add("192.0.2.1", captured);
  await home.start();
  const now = (address: string) => home.host.valueOf(device.edgeId, addressIn(address));
  const addresses = () =>
    (home.host.descriptions.get(device.edgeId) ?? []).flatMap(({ service, index, properties }) =>
      properties.map(({ property }) => `${service}:${index}.${property}`),
    );
  return Object.assign(home, { device, now, addresses });
}

/** The device says that it is configured otherwise, and is read again. */
async function reconfigured(home: ShellyHome, device: FakeShelly, component = "sys") {
  device.event(component, "config_changed");
  await home.pass(2000);
}

describe("a meter with an error", () => {
  test("has no values, not zeros, until it can measure again", async () => {
    await using home = await homeWith(THREE_PHASES);
    const errors = { errors: ["power_meter_failure"], a_errors: ["out_of_range:voltage"] };
    home.device.change("em:0", { ...errors, total_act_power: 0, a_act_power: 0, a_voltage: 0 });
    await home.pass(0);
    const all = ["Electricity:0.watts", "Electricity:1.watts", "Electricity:1.volts", "Electricity:2.volts"];
    expect(all.map(home.now)).toEqual([null, null, null, null]);
    expect(await home.read(home.device, "Electricity:1.volts")).toEqual({ kind: "value", value: null });
    home.device.change("em:0", { errors: [], a_errors: [], total_act_power: 248, a_act_power: 1, a_voltage: 228 });
    await home.pass(0);
    expect(all.map(home.now)).toEqual([248, 1, 228, 230]);
  });

  test("of its load or its supply has its values, also as text, and when its counter begins anew", async () => {
    await using home = await homeWith(RELAYS);
    home.device.change("switch:0", { errors: ["undervoltage"], aenergy: { total: 0.5 }, apower: "12.5", voltage: 180 });
    await home.pass(0);
    expect(["watts", "energy", "volts"].map((each) => home.now(`Electricity:0.${each}`))).toEqual([12.5, 0.0005, 180]);
  });

  test("has no value of what a whole status leaves out", async () => {
    await using home = await homeWith(RELAYS);
    home.device.status["switch:0"] = { id: 0, output: true };
    home.device.notify("NotifyFullStatus", home.device.status);
    await home.pass(0);
    expect([home.now("Switch:0.on"), home.now("Electricity:0.watts")]).toEqual([true, null]);
    expect(home.now("Electricity:1.volts"), "its neighbour keeps its value").toBe(216.3);
  });
});

describe("an address", () => {
  const PUMPS: Captured = {
    ...RELAYS,
    config: { "boolean:200": { id: 200, name: "Pump" }, "boolean:201": { id: 201, name: "Pump" } },
    status: { "boolean:200": { value: false }, "boolean:201": { value: true } },
  };

  test("of a virtual component stays its own when another of its name is deleted, and over a restart", async () => {
    await using home = await homeWith(PUMPS);
    expect(home.addresses()).toEqual(["Settings:0.pump", "Settings:0.pump2"]);
    delete home.device.config["boolean:200"];
    delete home.device.status["boolean:200"];
    await reconfigured(home, home.device);
    expect([home.addresses(), home.now("Settings:0.pump2")]).toEqual([["Settings:0.pump2"], true]);
    expect(await home.write(home.device, "Settings:0.pump", true)).toMatchObject({ kind: "failed" });
    expect(home.device.touched).toBe(0);
    await home.driver[Symbol.asyncDispose]();
    await home.start();
    expect(home.addresses()).toEqual(["Settings:0.pump2"]);
  });

  test("of a virtual component stays its own when it is renamed", async () => {
    await using home = await homeWith(PUMPS);
    home.device.config["boolean:201"] = { id: 201, name: "Fountain" };
    await reconfigured(home, home.device);
    expect(home.addresses()).toEqual(["Settings:0.pump", "Settings:0.pump2"]);
  });

  test("of a relay is refused after the device has become a shutter, and its meter's is not the shutter's", async () => {
    await using home = await homeWith(RELAYS);
    const [relay, meter] = [home.device.status["switch:0"], { apower: 90, voltage: 230 }];
    for (const key of ["switch:0", "switch:1"]) delete home.device.status[key];
    for (const key of ["switch:0", "switch:1"]) delete home.device.config[key];
    home.device.status["cover:0"] = { id: 0, state: "stopped", pos_control: true, current_pos: 30, ...meter };
    await reconfigured(home, home.device);
    expect(home.addresses()).toEqual(expect.arrayContaining(["Cover:0.position", "Electricity:2.watts"]));
    expect(home.addresses()).not.toContain("Electricity:0.watts");
    expect(await home.write(home.device, "Switch:0.on", true)).toMatchObject({
      kind: "failed",
      outcome: "not_applied",
    });
    expect([home.device.touched, home.now("Input:0.on")]).toEqual([0, false]);
    delete home.device.status["cover:0"];
    home.device.status["switch:0"] = relay ?? {};
    await reconfigured(home, home.device);
    expect(home.addresses()).toEqual(expect.arrayContaining(["Switch:0.on", "Electricity:0.watts"]));
  });
});

describe("a unit that is configured", () => {
  const unit = (name: string) => ({ id: 200, role: "current_temperature", access: "cr", meta: { ui: { unit: name } } });
  const SENSOR: Captured = {
    ...RELAYS,
    config: { "number:200": unit("°C") },
    status: { "number:200": { value: 20 } },
  };

  test("otherwise leaves no value until it is known, and then the value in it", async () => {
    await using home = await homeWith(SENSOR);
    expect(home.now("Temperature:0.celsius")).toBe(20);
    home.device.config["number:200"] = unit("°F");
    home.device.event("number:200", "config_changed");
    home.device.change("number:200", { value: 68 });
    await home.pass(20);
    expect(home.now("Temperature:0.celsius")).toBeNull();
    await home.pass(2000);
    expect(home.now("Temperature:0.celsius")).toBe(20);
    expect(home.reports).not.toContain("Temperature:0.celsius 68");
  });

  test("as °F is set in °F", async () => {
    const target = { ...unit("°F"), role: "target_temperature", access: "crw", min: 41, max: 95 };
    await using home = await homeWith({
      ...SENSOR,
      config: { "number:200": target },
      status: { "number:200": { value: 68 } },
    });
    expect(home.now("Thermostat:0.target")).toBe(20);
    expect(await home.write(home.device, "Thermostat:0.target", 21.5)).toEqual({ kind: "value", value: 21.5 });
    expect(home.device.status["number:200"]).toMatchObject({ value: 70.7 });
  });
});

test.each([
  ["cct", 3000, null],
  ["rgb", null, 120],
  ["scene", null, null],
])("a lamp in the mode %s has the colour temperature %j and the hue %j", async (mode, kelvin, hue) => {
  const lamp = { output: true, brightness: 50, ct: 3000, rgb: [0, 255, 0], mode };
  await using home = await homeWith({ ...RELAYS, config: {}, status: { "cct:0": lamp, "rgb:1": lamp } });
  expect([home.now("LightTemperature:0.kelvin"), home.now("LightColor:1.hue")]).toEqual([kelvin, hue]);
});

test("a change that comes while the device is described is newer than the answer", async () => {
  await using home = new ShellyHome();
  const device = home.add("192.0.2.1", RELAYS);
  device.samplesEarly = true;
  device.delayMs = 600;
  await home.start();
  device.change("switch:0", { output: true });
  await home.pass(2000);
  expect(home.host.valueOf(device.edgeId, addressIn("Switch:0.on"))).toBe(true);
});
