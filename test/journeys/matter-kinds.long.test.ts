/**
 * Every kind of device that the bridge shows, as a controller of another version takes it: its type, its values, its commands and what is
 * written to it. The bridge is real; the hub is played, so that a device of each kind is there and has the values of the test.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../parts/eventually.ts";
import { ControllerNetwork } from "../parts/matter/controller-network.ts";
import { Controller, type Endpoint } from "../parts/matter/controller-program.ts";
import { type DeviceKind, PlayedHub } from "../parts/matter/played-hub.ts";
import { Program } from "../parts/program.ts";

/** Only ends a hung test, ms. */
const FAILURE = 1;
const CONSTRAINT = 0x87;

/** Each with the codes of the device types that it is shown as. */
const KINDS = {
  plug: [["Switch", "Identify"], [0x10a]],
  lamp: [["Switch", "LightLevel"], [0x101]],
  white: [["Switch", "LightLevel", "LightTemperature"], [0x10c]],
  colour: [["Switch", "LightLevel", "LightColor", "LightTemperature"], [0x10d]],
  gangs: [
    ["Switch:0", "Switch:1"],
    [0x10a, 0x10a],
  ],
  blind: [["Cover"], [0x202]],
  lock: [["Lock", "Battery"], [0x0a]],
  heater: [
    ["Thermostat", "Temperature"],
    [0x301, 0x302],
  ],
  fan: [["Fan"], [0x2b]],
  valve: [["Valve"], [0x42]],
  weather: [
    ["Temperature", "Humidity", "Pressure", "Illuminance"],
    [0x302, 0x307, 0x305, 0x106],
  ],
  door: [["Contact", "Battery"], [0x15]],
  cellar: [["WaterLeak"], [0x43]],
  hall: [["Motion"], [0x107]],
  desk: [["Occupancy"], [0x107]],
  alarm: [["Smoke", "CarbonMonoxide"], [0x76]],
  air: [["AirQuality"], [0x2c]],
  button: [["Button"], [0x0f]],
  meter: [["Electricity"], [0x510]],
} as const satisfies Readonly<Record<string, readonly [DeviceKind, readonly number[]]>>;
type Kind = keyof typeof KINDS;
const NAMES = Object.keys(KINDS) as Kind[];
/** A change of a device, and the value that the controller is then notified of, by endpoint. */
const CHANGES: readonly (readonly [Kind, string, unknown, number, string, string, unknown])[] = [
  ["plug", "Switch.on", true, 0x10a, "onOff", "onOff", true],
  ["lamp", "LightLevel.level", 50, 0x101, "levelControl", "currentLevel", 127],
  ["white", "LightTemperature.kelvin", 4000, 0x10c, "colorControl", "colorTemperatureMireds", 250],
  ["colour", "LightColor.hue", 180, 0x10d, "colorControl", "currentHue", 127],
  ["blind", "Cover.position", 25, 0x202, "windowCovering", "currentPositionLiftPercent100ths", 7500],
  ["lock", "Lock.locked", true, 0x0a, "doorLock", "lockState", 1],
  ["lock", "Battery.percent", 50, 0x11, "powerSource", "batPercentRemaining", 100],
  ["heater", "Thermostat.target", 21.5, 0x301, "thermostat", "occupiedHeatingSetpoint", 2150],
  ["heater", "Thermostat.mode", "heat", 0x301, "thermostat", "systemMode", 4],
  ["heater", "Temperature.celsius", 19.25, 0x301, "thermostat", "localTemperature", 1925],
  ["fan", "Fan.on", true, 0x2b, "fanControl", "fanMode", 3],
  ["valve", "Valve.open", true, 0x42, "valveConfigurationAndControl", "currentState", 1],
  ["weather", "Pressure.hectopascal", 1013, 0x305, "pressureMeasurement", "measuredValue", 1013],
  ["weather", "Illuminance.lux", 1000, 0x106, "illuminanceMeasurement", "measuredValue", 30_001],
  ["door", "Contact.open", true, 0x15, "booleanState", "stateValue", false],
  ["cellar", "WaterLeak.detected", true, 0x43, "booleanState", "stateValue", true],
  ["alarm", "Smoke.detected", true, 0x76, "smokeCoAlarm", "expressedState", 1],
  ["air", "AirQuality.co2", 700, 0x2c, "airQuality", "airQuality", 1],
  ["meter", "Electricity.watts", 12.5, 0x510, "electricalPowerMeasurement", "activePower", 12_500],
];
/** The bridged node itself, and its battery. */
const [BRIDGED, POWER] = [0x13, 0x11];

describe("a bridged device in a controller", () => {
  const stack = new AsyncDisposableStack();
  let hub: PlayedHub;
  let phone: Controller;
  let endpoints: readonly Endpoint[] = [];

  beforeAll(async () => {
    const network = stack.use(new ControllerNetwork());
    const kinds = Object.values(KINDS).map(([kind]) => kind);
    hub = stack.use(await PlayedHub.start(network.here, kinds));
    const data = mkdtempSync(join(tmpdir(), "porchlight-bridge-"));
    stack.defer(() => rmSync(data, { recursive: true, force: true }));
    writeFileSync(join(data, "token"), "plt_loc_played\n");
    const args = ["--data", data, "--hub", hub.url];
    const bridge = stack.use(new Program("bridge", "matter-bridge/src/main.ts", args, {}, network.within("hub")));
    const code = await eventually("the bridge waits", async () => {
      return hub.bridge.devices === kinds.length ? hub.bridge.manualCode : undefined;
    });
    expect(bridge.stderr).not.toContain("could not be shown");
    phone = stack.use(await Controller.start(network.within("controller")));
    await phone.pair(code);
    endpoints = await phone.endpoints();
  });
  afterAll(() => stack.disposeAsync());

  /** The endpoints of a device: its root, and those of its parts, which were numbered after it. */
  function endpointsOf(kind: Kind): readonly Endpoint[] {
    const place = endpoints.findIndex(({ information }) => information.nodeLabel === `Device ${NAMES.indexOf(kind)}`);
    const rest = endpoints.slice(place + 1);
    const next = rest.findIndex(({ information }) => information.nodeLabel !== undefined);
    return endpoints.slice(place, next < 0 ? undefined : place + 1 + next);
  }

  /** The endpoint of that device type. */
  const at = (kind: Kind, type: number = KINDS[kind][1][0]): number => {
    return endpointsOf(kind).find(({ types }) => types.includes(type))?.number ?? 0;
  };
  const lastAsked = () => hub.asked.at(-1)?.replace(/^\d+ /, "");

  it.each(NAMES)("%s has the device types of its kind", (kind) => {
    const types = endpointsOf(kind).flatMap((each) => each.types.filter((type) => type !== BRIDGED && type !== POWER));
    expect(types).toEqual(KINDS[kind][1]);
    expect(endpointsOf(kind)[0]?.types).toContain(BRIDGED);
    expect(endpointsOf(kind)[0]?.types.includes(POWER)).toBe(KINDS[kind][0].some((service) => service === "Battery"));
  });

  describe("follows its reports", () => {
    // All at once: a controller takes reports no less than a second apart.
    beforeAll(() => {
      for (const [kind, property, value] of CHANGES) {
        const [service = "", name = ""] = property.split(".");
        hub.changes(NAMES.indexOf(kind), service, name, value);
      }
    });

    it.each(CHANGES)("%s, whose %s becomes %s", async (...[kind, , , type, cluster, attribute, expected]) => {
      await eventually(
        "it is notified",
        async () => (await phone.attribute(at(kind, type), cluster, attribute)) === expected,
      );
    });
  });

  it.each<[Kind, string, string, object | undefined, string]>([
    ["plug", "onOff", "off", undefined, "Switch.on = false"],
    ["plug", "identify", "identify", { identifyTime: 3 }, "Identify.active = true"],
    ["blind", "windowCovering", "goToLiftPercentage", { liftPercent100thsValue: 2500 }, "Cover.position = 75"],
    ["lock", "doorLock", "unlockDoor", {}, "Lock.locked = false"],
    ["valve", "valveConfigurationAndControl", "close", undefined, "Valve.open = false"],
    ["heater", "thermostat", "setpointRaiseLower", { mode: 0, amount: 10 }, "Thermostat.target = 22.5"],
  ])("%s carries out %s.%s", async (kind, cluster, command, fields, asked) => {
    await phone.invoke(at(kind), cluster, command, fields);
    expect(lastAsked()).toBe(asked);
  });

  it("fan and heater take written attributes", async () => {
    await phone.write(at("fan"), "fanControl", "percentSetting", 40);
    expect(hub.asked.slice(-2).map((each) => each.replace(/^\d+ /, ""))).toEqual(["Fan.speed = 40", "Fan.on = true"]);
    await eventually("it turns", async () => (await phone.attribute(at("fan"), "fanControl", "fanMode")) === 2);
    await phone.write(at("heater"), "thermostat", "systemMode", 0);
    expect(lastAsked()).toBe("Thermostat.mode = off");
  });

  it("keeps its value after a refused write, which returns the status of the refusal", async () => {
    const status = (work: Promise<unknown>) =>
      work.then(
        () => 0,
        (failure: unknown) => Reflect.get(Object(failure), "status"),
      );
    hub.refusing.add(NAMES.indexOf("plug")).add(NAMES.indexOf("fan"));
    expect(await status(phone.invoke(at("plug"), "onOff", "on"))).toBe(FAILURE);
    expect(await phone.attribute(at("plug"), "onOff", "onOff")).toBe(false);
    expect(await status(phone.write(at("fan"), "fanControl", "percentSetting", 80))).toBe(FAILURE);
    expect(await phone.attribute(at("fan"), "fanControl", "percentSetting")).toBe(40);
    expect(await status(phone.write(at("fan"), "fanControl", "fanMode", 5))).toBe(CONSTRAINT);
  });
});
