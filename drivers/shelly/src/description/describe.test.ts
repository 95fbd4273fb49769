/** Captured devices, and components that none of them has: what becomes a property, with which value, and what is left aside. */
import { placeThings } from "@porchlight/driver-kit";
import { addressKey, CATALOGUE, standardProperty } from "@porchlight/shared/model";
import { describe, expect, test } from "vitest";
import {
  AIR_CONDITIONING,
  BREAKER,
  CAPTURED,
  type Captured,
  FLOOR_HEATING,
  IRRIGATION,
  POWER_STRIP,
  PRESENCE,
  RELAYS,
  SCENT,
  SHUTTER,
  THREE_PHASES,
  WALL_DISPLAY,
  WHITE_LAMP,
} from "../captured.fixture.ts";
import { describeShelly, deviceInfo, introduction } from "./describe.ts";
import { placedShelly } from "./place.ts";
import type { ComponentsJson, ShellyDescription, ShellyProperty } from "./shelly-property.ts";

/** As a device that has never been seen. */
const placed = (description: ShellyDescription) =>
  placedShelly(description, (_, things) => placeThings(things, {}).placed);
const ofCapture = ({ info, config, status }: Captured) =>
  placed(describeShelly(deviceInfo.parse(info), config, status));
const ofComponents = (config: ComponentsJson, status: ComponentsJson) =>
  placed(describeShelly(deviceInfo.parse(RELAYS.info), config, status));

/** Each property as `Service:index.property access`, with its value; of events with `event`. */
function reported(properties: readonly ShellyProperty[], status: ComponentsJson) {
  return Object.fromEntries(
    properties.map((each) => {
      const letters = each.description.access.map((access) => access.charAt(0)).join("");
      const value = each.event ? "event" : each.read ? each.read(status[each.component] ?? {}) : "write only";
      return [`${addressKey(each.address)} ${letters}`, value];
    }),
  );
}

const metered = (index: number, [watts, volts, amperes, energy, pf]: readonly (number | undefined)[]) => ({
  [`Electricity:${index}.watts rn`]: watts,
  [`Electricity:${index}.volts rn`]: volts,
  [`Electricity:${index}.amperes rn`]: amperes,
  [`Electricity:${index}.hertz rn`]: 50,
  [`Electricity:${index}.energy rn`]: energy,
  [`Electricity:${index}.produced rn`]: 0,
  [`Readings:${index}.powerFactor rn`]: pf,
});

const EXPECTED: readonly (readonly [string, Captured, Record<string, unknown>, Record<string, number>])[] = [
  [
    "two relays",
    RELAYS,
    {
      ...{ "Switch:0.on rwn": false, ...metered(0, [0, 216.2, 0, 0, 0]), "Readings:0.deviceTemperature rn": 40.6 },
      ...{ "Switch:1.on rwn": false, ...metered(1, [0, 216.3, 0, 0, 0]), "Readings:1.deviceTemperature rn": 40.6 },
      ...{ "Input:0.on rn": false, "Input:1.on rn": false, "Signal:0.rssi rn": -52 },
    },
    {},
  ],
  [
    "a shutter that is not calibrated",
    SHUTTER,
    {
      ...{ "Cover:0.position rn": null, "Cover:0.target rwn": null, "Cover:0.movement rn": "stopped" },
      ...{ "Settings:0.stop w": "write only", "Electricity:0.watts rn": 0, "Electricity:0.volts rn": 217.7 },
      ...{ "Electricity:0.amperes rn": 0, "Electricity:0.hertz rn": 50, "Electricity:0.energy rn": 0 },
      ...{ "Readings:0.powerFactor rn": 0, "Readings:0.deviceTemperature rn": 36.4 },
      ...{ "Input:0.on rn": false, "Input:1.on rn": false, "Signal:0.rssi rn": -53 },
    },
    {},
  ],
  [
    "a scent dispenser",
    SCENT,
    {
      ...{ "Settings:0.leftOn rwn": false, "Settings:0.leftIntensity rwn": 70, "Readings:0.leftVial rn": 100 },
      ...{ "Settings:0.rightOn rwn": true, "Settings:0.rightIntensity rwn": 45, "Readings:0.rightVial rn": 93 },
      "Signal:0.rssi rn": -49,
    },
    { cury: 1 },
  ],
  [
    "a lamp of two whites",
    WHITE_LAMP,
    {
      ...{ "Switch:0.on rwn": false, "LightLevel:0.level rwn": 5, "LightTemperature:0.kelvin rwn": 2700 },
      ...{ "Electricity:0.watts rn": 0, "Electricity:0.energy rn": 0.200589, "Signal:0.rssi rn": -50 },
    },
    {},
  ],
  [
    "an irrigation controller",
    IRRIGATION,
    {
      ...Object.fromEntries([0, 1, 2, 3, 4, 5].map((zone) => [`Valve:${zone}.open rwn`, false])),
      ...{ "Settings:0.activeSequence rwn": "none", "Readings:0.averageTemperature rn": 0 },
      ...{ "Readings:0.lastPrecipitation rn": 0, "Signal:0.rssi rn": -38 },
    },
    { object: 1 },
  ],
  [
    "a power strip",
    POWER_STRIP,
    {
      ...{ "Switch:0.on rwn": true, ...metered(0, [0, 232.5, 0.017, 6.468282, 0]) },
      ...{ "Switch:1.on rwn": true, ...metered(1, [1.7, 232.6, 0.017, 4.22756, 0.42]) },
      ...{ "Switch:2.on rwn": false, ...metered(2, [0, 231.2, 0, 0.33676, 0]) },
      ...{ "Switch:3.on rwn": true, ...metered(3, [15.4, 231.2, 0.169, 18.440297, 0.62]) },
      "Signal:0.rssi rn": -68,
    },
    {},
  ],
  [
    "a presence sensor with three zones",
    PRESENCE,
    {
      ...{ "Readings:0.illumination rn": "twilight", "Signal:0.rssi rn": -60 },
      ...{ "Occupancy:200.occupied rn": true, "Readings:200.objects rn": 1 },
      ...{ "Occupancy:201.occupied rn": true, "Readings:201.objects rn": 1 },
      ...{ "Occupancy:202.occupied rn": false, "Readings:202.objects rn": 0 },
    },
    {},
  ],
  [
    "a circuit breaker",
    BREAKER,
    {
      ...{ "Switch:0.on rn": true, "Readings:0.safety rn": false, "Readings:0.totalCycles rn": 14 },
      ...{ "Readings:0.deviceTemperature rn": 33.8, "Electricity:0.volts rn": 222.33, "Signal:0.rssi rn": -52 },
    },
    { cb: 1 },
  ],
  [
    "a meter of three phases",
    THREE_PHASES,
    {
      ...{ "Electricity:0.watts rn": 2413.825, "Electricity:0.amperes rn": 11.116 },
      ...{ "Readings:0.apparentPower rn": 2525.779, "Readings:0.neutralCurrent rn": null },
      ...phase(1, [2166.2, 227, 9.592, 0.99, 2175.9, 3105.57642]),
      ...phase(2, [3.6, 230, 0.044, 0.36, 10.1, 195.76572]),
      ...phase(3, [244, 230.2, 1.479, 0.72, 339.7, 2114.07205]),
      ...{ "Electricity:0.energy rn": 5415.41419, "Electricity:0.produced rn": 0 },
      ...{ "Temperature:0.celsius rn": 46.3, "Signal:0.rssi rn": -57 },
    },
    {},
  ],
  [
    "a thermostat of a floor",
    FLOOR_HEATING,
    {
      ...{ "Settings:0.antiFreeze rwn": false, "Settings:0.childLock rwn": true, "Settings:0.enable rwn": true },
      ...{ "Humidity:0.percent rn": 59, "Temperature:0.celsius rn": 25.5, "Thermostat:0.target rwn": 27 },
      "Signal:0.rssi rn": -41,
    },
    {},
  ],
  [
    "a control of air conditioning",
    AIR_CONDITIONING,
    {
      ...{ "Settings:0.antiFreeze rwn": false, "Settings:0.enable rwn": true, "Settings:0.fanSpeed rwn": "auto" },
      ...{ "Settings:0.workingMode rwn": "heat", "Settings:0.targetHumidity rwn": 60, "Humidity:0.percent rn": 58 },
      ...{ "Temperature:0.celsius rn": 25.1, "Thermostat:0.target rwn": 20.5, "Signal:0.rssi rn": -46 },
    },
    {},
  ],
  [
    "a wall display without its sensors",
    WALL_DISPLAY,
    {
      ...{ "Switch:0.on rwn": true, "Button:0.event n": "event", "Input:1.on rn": undefined, "Input:2.on rn": true },
      ...{ "Button:3.event n": "event", "Button:4.event n": "event", "Temperature:0.celsius rn": null },
      ...{ "Humidity:0.percent rn": null, "Illuminance:0.lux rn": 120, "Readings:0.illumination rn": "twilight" },
      ...{ "Readings:0.externalPower rn": true, "Signal:0.rssi rn": -48 },
    },
    {},
  ],
];

function phase(index: number, [watts, volts, amperes, pf, apparent, energy]: readonly number[]) {
  return {
    ...{ [`Electricity:${index}.watts rn`]: watts, [`Electricity:${index}.volts rn`]: volts },
    ...{ [`Electricity:${index}.amperes rn`]: amperes, [`Electricity:${index}.hertz rn`]: 49.9 },
    ...{ [`Readings:${index}.powerFactor rn`]: pf, [`Readings:${index}.apparentPower rn`]: apparent },
    ...{ [`Electricity:${index}.energy rn`]: energy, [`Electricity:${index}.produced rn`]: 0 },
  };
}

describe("a captured device", () => {
  test.for(EXPECTED)("%s is described with all of its values", ([, capture, values, leftAside]) => {
    const described = ofCapture(capture);
    expect(reported(described.properties, capture.status)).toEqual(values);
    expect(described.leftAside).toEqual(leftAside);
  });

  test("of twelve nine are described in full, three in part, and none not at all", () => {
    const described = CAPTURED.map(ofCapture);
    const isFull = described.map(({ leftAside }) => Object.keys(leftAside).length === 0);
    expect([isFull.filter(Boolean).length, isFull.filter((each) => !each).length]).toEqual([9, 3]);
    expect(described.filter(({ properties }) => properties.length < 3)).toEqual([]);
  });

  test("is known by its address, and has a name and a model of its own", () => {
    const { edgeId, id, about } = ofCapture(RELAYS);
    expect([edgeId, id]).toEqual(["AA-BB-CC-00-00-01", "shelly2pmg3-aabbcc000001"]);
    expect(about).toMatchObject({ manufacturer: "Shelly", model: "S2PMG3", firmware: "1.6.1" });
    const named = describeShelly(deviceInfo.parse({ ...RELAYS.info, name: "Hall" }), RELAYS.config, RELAYS.status);
    expect(named.about.name).toBe("Hall");
  });

  test("keeps to the catalogue: type, unit, and no more access than a class has", () => {
    const standard = CAPTURED.flatMap((each) => ofCapture(each).properties).filter(({ address }) =>
      CATALOGUE.has(address.service),
    );
    for (const { address, description } of standard) {
      const known = standardProperty(address.service, address.property);
      expect([addressKey(address), description.type, description.unit]).toEqual([
        addressKey(address),
        known?.type,
        known?.unit,
      ]);
      expect(description.access.filter((each) => !known?.access.includes(each))).toEqual([]);
    }
  });
});

describe("a component that none of the captured devices has", () => {
  test.for<[string, ComponentsJson, ComponentsJson, Record<string, unknown>]>([
    [
      "a dimmer",
      {},
      { "light:0": { output: true, brightness: 40 } },
      { "Switch:0.on rwn": true, "LightLevel:0.level rwn": 40 },
    ],
    [
      "a lamp of colours",
      {},
      { "rgb:0": { output: true, brightness: 50, rgb: [255, 128, 0] } },
      {
        ...{ "Switch:0.on rwn": true, "LightLevel:0.level rwn": 50 },
        ...{ "LightColor:0.hue rwn": 30.1, "LightColor:0.saturation rwn": 100 },
      },
    ],
    [
      "a lamp of colours and white",
      {},
      { "rgbw:0": { output: false, brightness: 50, rgb: [0, 0, 255], white: 12 } },
      {
        ...{ "Switch:0.on rwn": false, "LightLevel:0.level rwn": 50, "LightColor:0.hue rwn": 240 },
        ...{ "LightColor:0.saturation rwn": 100, "Settings:0.white rwn": 12 },
      },
    ],
    [
      "a calibrated shutter on its way",
      { "cover:0": { slat: { enable: true } } },
      { "cover:0": { state: "opening", pos_control: true, current_pos: 20, target_pos: 80, slat_pos: 5 } },
      {
        ...{ "Cover:0.position rn": 20, "Cover:0.target rwn": 80, "Cover:0.movement rn": "opening" },
        ...{ "Settings:0.stop w": "write only", "Settings:0.slat rwn": 5 },
      },
    ],
    [
      "a calibrated shutter at rest",
      {},
      { "cover:0": { state: "stopped", pos_control: true, current_pos: 20 } },
      {
        ...{ "Cover:0.position rn": 20, "Cover:0.target rwn": 20, "Cover:0.movement rn": "stopped" },
        "Settings:0.stop w": "write only",
      },
    ],
    [
      "a thermostat",
      { "thermostat:0": { type: "heating" } },
      { "thermostat:0": { enable: true, target_C: 21.5, current_C: 19.8, output: true } },
      {
        ...{ "Thermostat:0.mode rwn": "heat", "Thermostat:0.target rwn": 21.5 },
        ...{ "Thermostat:0.activity rn": "heating", "Temperature:0.celsius rn": 19.8 },
      },
    ],
    [
      "sensors on a battery",
      { "input:0": { type: "button" } },
      {
        ...{ "temperature:0": { tC: 19.9 }, "humidity:0": { rh: 44.5 }, "smoke:0": { alarm: false, mute: false } },
        ...{ "flood:0": { alarm: true }, "devicepower:0": { battery: { V: 5.9, percent: 87 } } },
      },
      {
        ...{ "Temperature:0.celsius rn": 19.9, "Humidity:0.percent rn": 44.5, "Smoke:0.detected rn": false },
        ...{ "Readings:0.muted rn": false, "WaterLeak:0.detected rn": true, "Battery:0.percent rn": 87 },
        ...{ "Battery:0.volts rn": 5.9, "Button:0.event n": "event" },
      },
    ],
    [
      "a meter of one phase, and one by itself",
      {},
      {
        "em1:1": { act_power: -12.5, voltage: 230, current: 0.1, pf: 0.5, aprt_power: 23, freq: 50 },
        "em1data:1": { total_act_energy: 1500, total_act_ret_energy: 250 },
        "pm1:0": { apower: 7, aenergy: { total: 12 } },
      },
      {
        ...{ "Electricity:1.watts rn": -12.5, "Electricity:1.volts rn": 230, "Electricity:1.amperes rn": 0.1 },
        ...{ "Electricity:1.hertz rn": 50, "Readings:1.powerFactor rn": 0.5, "Readings:1.apparentPower rn": 23 },
        ...{ "Electricity:1.energy rn": 1.5, "Electricity:1.produced rn": 0.25 },
        ...{ "Electricity:0.watts rn": 7, "Electricity:0.energy rn": 0.012 },
      },
    ],
    [
      "inputs that count and measure",
      { "input:0": { type: "analog" }, "input:1": { type: "count" }, "input:2": { type: "switch", enable: false } },
      { "input:0": { percent: 41.5 }, "input:1": { counts: { total: 12 }, freq: 0.5 } },
      { "Input:0.percent rn": 41.5, "Input:1.count rn": 12, "Input:1.frequency rn": 0.5 },
    ],
  ])("%s is described", ([, config, status, values]) => {
    expect(reported(ofComponents(config, status).properties, status)).toEqual(values);
  });

  test("is left aside and counted when its function is unknown", () => {
    const described = ofComponents({ "blutrv:200": {}, "bthomesensor:200": {} }, { "blutrv:201": {} });
    expect(described.leftAside).toEqual({ blutrv: 2, bthomesensor: 1 });
  });

  test("that asks for the address of another has the next one: the first keeps its own", () => {
    const status = { "pm1:0": { apower: 7 }, "switch:0": { output: true, apower: 8 } };
    const { properties, leftAside } = ofComponents({}, status);
    expect(reported(properties, status)).toEqual({
      ...{ "Electricity:0.watts rn": 7, "Electricity:1.watts rn": 8, "Switch:0.on rwn": true },
    });
    expect(leftAside).toEqual({});
  });

  test("makes no more than a description may have", () => {
    const many = Object.fromEntries(Array.from({ length: 90 }, (_, id) => [`switch:${id}`, { output: true }]));
    const described = ofComponents({}, many);
    expect([described.properties.length, described.leftAside]).toEqual([64, { tooMany: 26 }]);
  });

  test("reports how often a device wakes", () => {
    expect(ofComponents({}, { sys: { wakeup_period: 7200 } }).wakeupMs).toBe(7_200_000);
    expect(ofComponents({}, { sys: { wakeup_period: 0 } }).wakeupMs).toBeUndefined();
  });
});

test.for([
  ["single_push", "press"],
  ["double_push", "double"],
  ["long_push", "long"],
  ["triple_push", undefined],
  ["btn_down", undefined],
  ["__proto__", undefined],
])("the event %s of a button is reported as %s", ([name, value]) => {
  const [button] = ofComponents({ "input:0": { type: "button" } }, {}).properties;
  expect(button?.event?.(name ?? "")).toBe(value);
});

test.for<[string, unknown, string]>([
  ["a device of the second generation", RELAYS.info, "shelly"],
  ["one of the first generation", { type: "SHSW-25", mac: "AABBCC0000FF", auth: false, fw: "20230913-1.14.0" }, "gen1"],
  ["one whose firmware is too old", { ...RELAYS.info, ver: "0.14.1" }, "firmware_too_old"],
  ["another web server", "<html>", "no_shelly"],
  ["one without an address", { ...RELAYS.info, mac: "none" }, "no_shelly"],
])("%s is known by how it introduces itself", ([, json, kind]) => {
  expect(introduction(json).kind).toBe(kind);
});
