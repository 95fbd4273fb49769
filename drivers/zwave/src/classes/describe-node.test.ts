/** Captured nodes, and values that none of them has: what becomes a property, with which value, and what is left aside. */
import { DeviceAddresses } from "@porchlight/driver-kit";
import { addressKey, standardProperty } from "@porchlight/shared/model";
import { describe, expect, test } from "vitest";
import { CAPTURED_NODES, capturedNode, type NodeJson, valueJson } from "../captured-nodes.fixture.ts";
import { NodeValues, nodeStateSchema } from "../values/node-state.ts";
import { addressesOf, describeNode } from "./describe-node.ts";
import type { ZwaveProperty } from "./zwave-property.ts";

function described(json: NodeJson, addresses = new DeviceAddresses(undefined, () => undefined)) {
  const node = nodeStateSchema.parse(json);
  const bad: string[] = [];
  const values = new NodeValues(node.values, () => void bad.push("value"));
  return { ...describeNode(node, values, addressesOf(addresses, "02-00-00-00-00-09")), values, bad };
}

/** Each property as `Service:index.property access`, with its value; of events with `event`. */
function reported(properties: readonly ZwaveProperty[], values: NodeValues) {
  return Object.fromEntries(
    properties.map(({ address, description, event, read }) => {
      const letters = description.access.map((access) => access.charAt(0)).join("");
      return [`${addressKey(address)} ${letters}`, event ? "event" : read(values.raw)];
    }),
  );
}

const isParameter = ({ address }: ZwaveProperty) => address.service === "Configuration";

type Row = readonly [name: string, properties: object, parameters: number, leftAside: object];

const EXPECTED: readonly Row[] = [
  [
    "climate_radio_thermostat_ct100_plus",
    {
      "Battery:0.percent rn": 100,
      "Battery:0.low rn": false,
      "Thermostat:1.mode rwn": "heat",
      "Thermostat:1.target rwn": 22.2,
      "Setpoints:1.heating rnw": 22.2,
      "Setpoints:1.cooling rnw": 22.8,
      "Thermostat:1.activity rn": "idle",
      "Temperature:1.celsius rn": 22.222,
      "Humidity:1.percent rn": 30,
      "Battery:1.percent rn": 100,
      "Battery:1.low rn": false,
    },
    11,
    { Configuration: 1 },
  ],
  [
    "cover_qubino_shutter",
    {
      "Cover:0.position rn": null,
      "Cover:0.target w": null,
      "Settings:0.stop w": undefined,
      "Readings:0.powerManagementOverLoadStatus rn": "idle",
      "Notifications:0.event n": "event",
      "Electricity:0.energy rn": 0,
      "Electricity:0.watts rn": 0,
    },
    14,
    {},
  ],
  [
    "energy_production",
    {
      "Electricity:0.watts rn": 1.23,
      "Electricity:0.produced rn": 1.235,
      "Readings:0.productionToday rn": 123.45,
      "Readings:0.totalTime rn": 123456,
    },
    0,
    {},
  ],
  [
    "idl_101_lock",
    {
      "Lock:0.locked rwn": true,
      "Contact:0.open rn": false,
      "Readings:0.bolt rn": "locked",
      "Readings:0.latch rn": "open",
      "Motion:0.detected rn": false,
      "Notifications:0.event n": "event",
      "Battery:0.percent rn": 100,
      "Battery:0.low rn": false,
    },
    1,
    { "Door Lock": 7, "User Code": 2 },
  ],
  [
    "inovelli_switch",
    {
      "Switch:0.on rwn": false,
      "Electricity:0.energy rn": 26.75,
      "Electricity:0.watts rn": 0,
      "Button:1.event n": "event",
      "Button:2.event n": "event",
      "Button:3.event n": "event",
    },
    15,
    { Protection: 4 },
  ],
  [
    "invalid_multilevel_sensor_type",
    {
      "Electricity:0.watts rn": 0.17,
      "Thermostat:1.mode rwn": "heat",
      "Thermostat:1.target rwn": 8,
      "Thermostat:1.activity rn": "idle",
      "Electricity:1.energy rn": 2422.8,
      "Electricity:1.volts rn": 242.1,
      "Temperature:2.celsius rn": 22.5,
      "Readings:2.UNKNOWN0x00 rn": 23,
      "Temperature:3.celsius rn": 0,
      "Readings:3.UNKNOWN0x00 rn": 0,
      "Readings:3.time rn": 3.2,
      "Temperature:4.celsius rn": 15.3,
    },
    19,
    {},
  ],
  [
    "lock_schlage_be469",
    {
      "Lock:0.locked rwn": false,
      "Contact:0.open rn": true,
      "Readings:0.bolt rn": "unlocked",
      "Readings:0.latch rn": "open",
      "Lock:0.jammed rn": false,
      "Readings:0.accessControlKeypadState rn": "idle",
      "Readings:0.homeSecuritySensorStatus rn": "idle",
      "Readings:0.powerManagementBatteryMaintenanceStatus rn": "idle",
      "Readings:0.systemHardwareStatus rn": "idle",
      "Notifications:0.event n": "event",
      "Battery:0.percent rn": 100,
      "Battery:0.low rn": false,
    },
    15,
    { "Door Lock": 7, "User Code": 2 },
  ],
  [
    "lock_ultraloq_ubolt_pro",
    {
      "Lock:0.locked rwn": true,
      "Contact:0.open rn": undefined,
      "Readings:0.bolt rn": "locked",
      "Readings:0.latch rn": "open",
      "Battery:0.percent rn": 100,
      "Battery:0.low rn": false,
    },
    0,
    { "Door Lock": 11, "User Code": 2, "class 118": 1 },
  ],
  [
    "multisensor_6",
    {
      "Tamper:0.detected rn": false,
      "Motion:0.detected rn": true,
      "Notifications:0.event n": "event",
      "Readings:0.triggered rn": false,
      "Temperature:0.celsius rn": 9,
      "Illuminance:0.lux rn": 0,
      "Humidity:0.percent rn": 65,
      "Readings:0.ultraviolet rn": 0,
      "Battery:0.percent rn": 100,
      "Battery:0.low rn": false,
    },
    56,
    { Configuration: 5 },
  ],
  [
    "ring_keypad",
    {
      "Motion:0.detected rn": false,
      "Readings:0.powerManagementPowerStatus rn": "idle",
      "Readings:0.powerManagementBatteryLoadStatus rn": "idle",
      "Readings:0.systemSoftwareStatus rn": "idle",
      "Readings:0.powerManagementMainsStatus rn": undefined,
      "Notifications:0.event n": "event",
      "Battery:0.percent rn": 41,
      "Battery:0.low rn": false,
    },
    21,
    { "Entry Control": 2 },
  ],
  [
    "shelly_eu_wave_shutter",
    {
      "Identify:0.active w": undefined,
      "Cover:1.position rn": 0,
      "Cover:1.target rwn": 0,
      "Settings:1.stop w": undefined,
      "Readings:1.heatAlarmHeatSensorStatus rn": "idle",
      "Readings:1.powerManagementOverCurrentStatus rn": "idle",
      "Readings:1.systemHardwareStatus rn": "idle",
      "Notifications:1.event n": "event",
      "Electricity:1.energy rn": 0,
      "Electricity:1.watts rn": 0,
      "Cover:2.position rn": 0,
      "Cover:2.target rwn": 0,
      "Settings:2.stop w": undefined,
      "Readings:2.heatAlarmHeatSensorStatus rn": "idle",
      "Readings:2.powerManagementOverCurrentStatus rn": "idle",
      "Readings:2.systemHardwareStatus rn": "idle",
      "Notifications:2.event n": "event",
      "Electricity:2.energy rn": 0,
      "Electricity:2.watts rn": 0,
    },
    21,
    {},
  ],
  [
    "switch_enbrighten_zw3010",
    { "Switch:0.on rwn": false, "LightLevel:0.level rwn": 0, "Button:1.event n": "event", "Button:2.event n": "event" },
    8,
    {},
  ],
  [
    "timed_lock",
    { "Lock:0.locked rwn": true, "Readings:0.bolt rn": "unlocked", "Readings:0.latch rn": "open" },
    0,
    { "Door Lock": 11 },
  ],
  [
    "wallmote_central_scene",
    {
      "Readings:0.powerManagementBatteryLoadStatus rn": "idle",
      "Readings:0.powerManagementBatteryLevelStatus rn": "idle",
      "Notifications:0.event n": "event",
      "Button:4.event n": "event",
      "Button:1.event n": "event",
      "Button:2.event n": "event",
      "Button:3.event n": "event",
      "Battery:0.percent rn": 100,
      "Battery:0.low rn": false,
    },
    5,
    { Configuration: 1 },
  ],
  [
    "basic_dump 14294 / ZW3005",
    { "Switch:0.on rwn": true, "LightLevel:0.level rwn": 100 },
    8,
    { "Scene Activation": 2 },
  ],
  [
    "basic_dump ZSE40",
    {
      "Motion:0.detected rn": false,
      "Tamper:0.detected rn": false,
      "Notifications:0.event n": "event",
      "Temperature:0.celsius rn": 20.233,
      "Readings:0.illuminance rn": 20.03,
      "Humidity:0.percent rn": 43.53,
      "Battery:0.percent rn": 50,
      "Battery:0.low rn": false,
    },
    7,
    {},
  ],
  [
    "ha bulb_6_multi_color",
    {
      "Switch:0.on rwn": false,
      "LightLevel:0.level rwn": 0,
      "LightColor:0.hue rwn": null,
      "LightColor:0.saturation rwn": null,
      "Channels:0.warmWhite rnw": 100,
      "Channels:0.coldWhite rnw": 0,
    },
    3,
    { Configuration: 1 },
  ],
  [
    "ha cover_zw062",
    {
      "Cover:0.position rn": 0,
      "Cover:0.movement rn": "stopped",
      "Cover:0.target rwn": 0,
      "Settings:0.audibleWarning rnw": true,
      "Settings:0.visualWarning rnw": true,
      "Switch:0.on rwn": false,
    },
    4,
    {},
  ],
  [
    "ha window_covering_outbound_bottom",
    { "Cover:0.position rn": 52, "Cover:0.target rwn": 52, "Settings:0.stop w": undefined },
    0,
    {},
  ],
  [
    "ha zcombo_smoke_co_alarm",
    {
      "Smoke:0.detected rn": false,
      "Readings:0.smokeAlarmAlarmStatus rn": "idle",
      "CarbonMonoxide:0.detected rn": false,
      "Readings:0.COAlarmMaintenanceStatus rn": "idle",
      "Readings:0.COAlarmAlarmStatus rn": "idle",
      "Readings:0.systemHardwareStatus rn": "idle",
      "Notifications:0.event n": "event",
      "Battery:0.percent rn": 92,
      "Battery:0.low rn": false,
    },
    3,
    {},
  ],
  [
    "ha ecolink_door_sensor",
    {
      "Tamper:0.detected rn": true,
      "Notifications:0.event n": "event",
      "Readings:0.triggered rn": false,
      "Battery:0.percent rn": 61,
      "Battery:0.low rn": false,
    },
    1,
    {},
  ],
  ["ha zooz_zac36_titan_valve_actuator", { "Valve:0.open rwn": false, "Temperature:0.celsius rn": 29.4 }, 2, {}],
  [
    "ha climate_danfoss_lc_13",
    { "Thermostat:0.target rwn": 14, "Battery:0.percent rn": 49, "Battery:0.low rn": false },
    0,
    { Protection: 2 },
  ],
  ["ha fan_generic", { "Fan:0.on rwn": false, "Fan:0.speed rwn": 0 }, 2, { "Scene Activation": 2 }],
  ["ha fortrezz_ssa1_siren", { "Switch:0.on rwn": false, "LightLevel:0.level rwn": 0 }, 1, {}],
  ["ha basic_cc_sensor", { "Readings:0.basic rn": 255 }, 0, {}],
  [
    "ha siren_neo_coolcam_nas-ab01z",
    {
      "Siren:0.active rnw": false,
      "Readings:0.sirenSirenStatus rn": "idle",
      "Notifications:0.event n": "event",
      "Battery:0.percent rn": 89,
      "Battery:0.low rn": false,
    },
    3,
    {},
  ],
  [
    "ha nortek_thermostat",
    {
      "Thermostat:0.mode rwn": "off",
      "Settings:0.thermostatMode rnw": "off",
      "Thermostat:0.target rwn": null,
      "Setpoints:0.heating rnw": 22.2,
      "Setpoints:0.cooling rnw": 26.7,
      "Setpoints:0.energySaveHeating rnw": 16.7,
      "Setpoints:0.energySaveCooling rnw": 26.7,
      "Thermostat:0.activity rn": null,
      "Battery:0.percent rn": 100,
      "Battery:0.low rn": false,
    },
    1,
    {},
  ],
  [
    "ha chain_actuator_zws12",
    {
      "Cover:0.position rn": 0,
      "Cover:0.target rwn": undefined,
      "Settings:0.stop w": undefined,
      "WaterLeak:0.detected rn": false,
      "Readings:0.powerManagementOverLoadStatus rn": "idle",
      "Notifications:0.event n": "event",
    },
    3,
    {},
  ],
  [
    "ha light_color_null_values",
    {
      "Switch:0.on rwn": true,
      "LightLevel:0.level rwn": 100,
      "LightColor:0.hue rwn": null,
      "LightColor:0.saturation rwn": null,
    },
    1,
    { Configuration: 1 },
  ],
  [
    "ha hank_binary_switch",
    {
      "Switch:0.on rwn": false,
      "Electricity:0.watts rn": 0,
      "Electricity:0.energy rn": 0.164,
      "Electricity:0.volts rn": 122.963,
      "Electricity:0.amperes rn": 0,
    },
    2,
    { "Scene Activation": 2 },
  ],
  [
    "ha cover_iblinds_v3",
    { "Cover:0.position rn": 0, "Cover:0.target rwn": 0, "Settings:0.stop w": undefined, "Settings:0.slat rnw": 0 },
    2,
    {},
  ],
];

describe("a captured node", () => {
  test.for(EXPECTED)("%s is described, value by value", ([name, properties, parameters, leftAside]) => {
    const given = described(capturedNode(name));
    const others = given.properties.filter((each) => !isParameter(each));
    expect(reported(others, given.values)).toEqual(properties);
    expect(given.properties.filter(isParameter)).toHaveLength(parameters);
    expect([given.leftAside, given.bad]).toEqual([leftAside, []]);
  });

  test("is described fully or partly: of 32, 17 fully, 15 partly, none not at all", () => {
    expect([...CAPTURED_NODES.keys()]).toEqual(EXPECTED.map(([name]) => name));
    const counts = { fully: 0, partly: 0, not: 0 };
    for (const json of CAPTURED_NODES.values()) {
      const { properties, leftAside } = described(json);
      counts[properties.length === 0 ? "not" : Object.keys(leftAside).length === 0 ? "fully" : "partly"] += 1;
    }
    expect(counts).toEqual({ fully: 17, partly: 15, not: 0 });
  });
});

/** A node with these values, of a device class. */
function nodeOf(
  rows: readonly Parameters<typeof valueJson>[0][],
  deviceClass: readonly [number, number] = [16, 1],
): NodeJson {
  const [generic, specific] = deviceClass;
  return {
    ...{ nodeId: 9, status: 4, ready: true, deviceClass: { generic: { key: generic }, specific: { key: specific } } },
    ...{ endpoints: [], values: rows.map(valueJson) },
  };
}

const SWITCH = [
  [37, 0, "currentValue", null, "boolean", "r", {}, true],
  [37, 0, "targetValue", null, "boolean", "rw", {}],
] as const;
const LEVEL = [
  [38, 0, "currentValue", null, "number", "r", {}, 99],
  [38, 0, "targetValue", null, "number", "rw", {}],
] as const;

describe("the same command class", () => {
  test.for([
    ["a plug", SWITCH, [16, 1], { "Switch:0.on rwn": true }, false],
    ["a siren", SWITCH, [16, 5], { "Siren:0.active rnw": true }, true],
    ["a valve", SWITCH, [16, 6], { "Valve:0.open rwn": true }, false],
    ["a dimmer", LEVEL, [17, 1], { "Switch:0.on rwn": true, "LightLevel:0.level rwn": 100 }, false],
    ["a fan", LEVEL, [17, 8], { "Fan:0.on rwn": true, "Fan:0.speed rwn": 100 }, false],
    ["a motor", LEVEL, [17, 6], { "Cover:0.position rn": 100, "Cover:0.target w": 100 }, false],
  ] as const)("is %s by the class of its device", ([, rows, deviceClass, properties, isSensitive]) => {
    const given = described(nodeOf(rows, deviceClass));
    expect(reported(given.properties, given.values)).toEqual(properties);
    expect(given.isSensitive).toBe(isSensitive);
  });
});

describe("a value", () => {
  const readings = (...rows: readonly Parameters<typeof valueJson>[0][]) => {
    const given = described(nodeOf(rows));
    return reported(given.properties, given.values);
  };
  const sensor = (sensorType: number, scale: number, unit: string, raw: unknown) =>
    [49, 0, `type ${sensorType}`, null, "number", "r", { unit, ccSpecific: { sensorType, scale } }, raw] as const;

  test.for([
    [sensor(1, 1, "°F", 212), { "Temperature:0.celsius rn": 100 }],
    [sensor(8, 0, "kPa", 101.3), { "Pressure:0.hectopascal rn": 1013 }],
    [sensor(9, 1, "inHg", 29.92), { "Pressure:0.hectopascal rn": 1013.208 }],
    [sensor(15, 1, "mV", 230_000), { "Electricity:0.volts rn": 230 }],
    [sensor(16, 0, "A", 1.5), { "Electricity:0.amperes rn": 1.5 }],
    [sensor(17, 0, "ppm", 612), { "AirQuality:0.co2 rn": 612 }],
    [sensor(35, 1, "µg/m³", 12), { "AirQuality:0.pm25 rn": 12 }],
    [sensor(39, 1, "ppm", 0.2), { "AirQuality:0.voc rn": 200 }],
    [sensor(11, 0, "°C", 9.5), { "Readings:0.type11 rn": 9.5 }],
  ] as const)("of a sensor is in the unit of its class", ([row, expected]) => {
    expect(readings(row)).toEqual(expected);
  });

  test("that is no number, as NaN becomes, is no value", () => {
    expect(readings(sensor(1, 0, "°C", null))).toEqual({ "Temperature:0.celsius rn": null });
    expect(readings(sensor(1, 0, "°C", "unknown"))).toEqual({ "Temperature:0.celsius rn": null });
    expect(readings([38, 0, "currentValue", null, "number", "r", {}, 254])).toEqual({
      ...{ "Switch:0.on rn": null, "LightLevel:0.level rn": null },
    });
    expect(readings([98, 0, "currentMode", null, "number", "r", {}, 254])).toEqual({ "Lock:0.locked rn": null });
  });

  test("of a code of a lock is never described", () => {
    const given = described(nodeOf([[99, 0, "userCode", 1, "string", "rw", {}, "1234"]]));
    expect(given.properties).toEqual([]);
    expect(given.leftAside).toEqual({ "User Code": 1 });
  });

  test("of what a meter has produced is not what it has used", () => {
    const meter = (rateType: number, scale: number, raw: number) =>
      [
        50,
        0,
        "value",
        rateType * 1000 + scale,
        "number",
        "r",
        { ccSpecific: { meterType: 1, rateType, scale }, label: `rate ${rateType} scale ${scale}` },
        raw,
      ] as const;
    expect(readings(meter(1, 0, 5), meter(2, 0, 7), meter(2, 2, 300))).toEqual({
      ...{ "Electricity:0.energy rn": 5, "Electricity:0.produced rn": 7, "Readings:0.rate2Scale2 rn": 300 },
    });
  });
});

test("a dimmer that its maker calls a siren is admitted by itself only", () => {
  expect(described(capturedNode("ha fortrezz_ssa1_siren")).isSensitive).toBe(true);
  expect(described(capturedNode("switch_enbrighten_zw3010")).isSensitive).toBe(false);
});

test("a name that its device has filled up with zeros is reported without them: no store keeps them", () => {
  expect(described(capturedNode("ha chain_actuator_zws12")).about.name).toBe("ZWS 12");
});

describe("a parameter", () => {
  const parameter = (metadata: object, access = "rw") => {
    const { properties } = described(nodeOf([[112, 0, 7, null, "number", access, { ...metadata }, 1]]));
    return properties[0]?.description;
  };

  test("can be set within its limits, or to one of its choices", () => {
    expect(parameter({ min: 0, max: 10, allowManualEntry: true })).toEqual({
      ...{ property: "parameter7", type: "integer", min: 0, max: 10, access: ["read", "notify", "write"] },
    });
    const choices = { min: 0, max: 255, states: { 0: "", 255: "" }, allowManualEntry: false };
    expect(parameter(choices)).toMatchObject({ values: [0, 255], access: ["read", "notify", "write"] });
  });

  test("without limits that are known is only read", () => {
    expect(parameter({})?.access).toEqual(["read", "notify"]);
    expect(parameter({ min: 0, max: 0 })?.access).toEqual(["read", "notify"]);
    expect(parameter({ min: 0, max: 9 }, "r")?.access).toEqual(["read", "notify"]);
  });

  test("beyond the 64th is left aside, and counted", () => {
    const rows = Array.from(
      { length: 70 },
      (_, at) => [112, 0, at, null, "number", "rw", { min: 0, max: 9 }, 1] as const,
    );
    const { properties, leftAside } = described(nodeOf(rows));
    expect([properties.length, leftAside]).toEqual([64, { Configuration: 6 }]);
  });
});

describe("what is set", () => {
  const setting = (name: string, address: string, value: number | boolean | string) => {
    const { properties, values } = described(capturedNode(name));
    const property = properties.find((each) => addressKey(each.address) === address);
    const set = property?.set?.(value, values.raw);
    return set && { ...set, at: [set.at.commandClass, set.at.endpoint, set.at.property, set.at.propertyKey].join("/") };
  };

  test.for([
    ["a lamp", "switch_enbrighten_zw3010", "Switch:0.on", true, { at: "38/0/targetValue/", value: 255, now: true }],
    [
      "a level",
      "switch_enbrighten_zw3010",
      "LightLevel:0.level",
      100,
      { at: "38/0/targetValue/", value: 99, now: 100 },
    ],
    [
      "a level just on",
      "switch_enbrighten_zw3010",
      "LightLevel:0.level",
      0.2,
      { at: "38/0/targetValue/", value: 1, now: 1 },
    ],
    ["a lock", "idl_101_lock", "Lock:0.locked", true, { at: "98/0/targetMode/", value: 255, now: true }],
    [
      "a setpoint in °F",
      "climate_radio_thermostat_ct100_plus",
      "Thermostat:1.target",
      21,
      { at: "67/1/setpoint/1", value: 70, now: 21.1 },
    ],
    [
      "a mode",
      "climate_radio_thermostat_ct100_plus",
      "Thermostat:1.mode",
      "cool",
      { at: "64/1/mode/", value: 2, now: "cool" },
    ],
    [
      "a colour",
      "ha bulb_6_multi_color",
      "LightColor:0.hue",
      120,
      { at: "51/0/targetColor/", value: { warmWhite: 0, coldWhite: 0, red: 0, green: 255, blue: 0 }, now: 120 },
    ],
    [
      "a channel",
      "ha bulb_6_multi_color",
      "Channels:0.warmWhite",
      50,
      { at: "51/0/targetColor/0", value: 128, now: 50.2 },
    ],
    [
      "a shutter",
      "shelly_eu_wave_shutter",
      "Cover:2.target",
      40,
      { at: "38/2/targetValue/", value: 40, now: 40, isTarget: true },
    ],
    ["a stop", "shelly_eu_wave_shutter", "Settings:1.stop", true, { at: "38/1/Up/", value: false, now: true }],
    [
      "a blind",
      "ha window_covering_outbound_bottom",
      "Cover:0.target",
      0,
      { at: "106/0/targetValue/13", value: 0, now: 0, isTarget: true },
    ],
    [
      "a garage door",
      "ha cover_zw062",
      "Cover:0.target",
      100,
      { at: "102/0/targetState/", value: 255, now: 100, isTarget: true },
    ],
    [
      "a parameter's part",
      "ha cover_zw062",
      "Configuration:0.parameter37-ff00",
      5,
      { at: "112/0/37/65280", value: 5, now: 5 },
    ],
    [
      "the place of a device",
      "shelly_eu_wave_shutter",
      "Identify:0.active",
      true,
      { at: "135/0/identify/", value: true, now: true },
    ],
  ] as const)("is %s, in the device's own terms", ([, name, address, value, expected]) => {
    expect(setting(name, address, value)).toEqual(expected);
  });

  test("has no target while a thermostat of two setpoints is in another mode", () => {
    const node = capturedNode("climate_radio_thermostat_ct100_plus");
    const values = node.values.map((each) =>
      each.commandClass === 64 && each.property === "mode" ? { ...each, value: 0 } : each,
    );
    const given = described({ ...node, values });
    const target = given.properties.find(({ address }) => addressKey(address) === "Thermostat:1.target");
    expect(target?.read(given.values.raw)).toBeNull();
    expect(() => target?.set?.(21, given.values.raw)).toThrow("no single target");
  });
});

test("standard classes keep the type and unit of the catalogue", () => {
  for (const json of CAPTURED_NODES.values())
    for (const { address, description } of described(json).properties) {
      const standard = standardProperty(address.service, address.property);
      if (standard) expect([description.type, description.unit]).toEqual([standard.type, standard.unit]);
    }
});
