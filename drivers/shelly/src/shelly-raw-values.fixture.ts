/** Spellings of values, and of none, as Shelly firmware sends them: of each kind of component some, for the judge. */
import { addressIn } from "@porchlight/driver-kit/contract/address-in.fixture.ts";
import type { RawCase, RawKind, RawValues } from "@porchlight/driver-kit/judge/world.suite.ts";
import type { Value } from "@porchlight/shared/model";
import type { ComponentsJson } from "./description/shelly-property.ts";
import type { FakeShelly } from "./fake-shelly.fixture.ts";

/** Components beside those of a capture; their ids do not collide with its ids. */
export const RAW_COMPONENTS: { readonly config: ComponentsJson; readonly status: ComponentsJson } = {
  config: { "input:12": { id: 12, type: "analog" }, "enum:212": { id: 212, name: "Level", options: ["low", "high"] } },
  status: {
    "light:10": { id: 10, output: false, brightness: 50 },
    "cct:11": { id: 11, output: false, brightness: 50, ct: 3000 },
    "rgb:12": { id: 12, output: false, brightness: 50, rgb: [255, 0, 0] },
    "cover:10": { id: 10, state: "stopped", pos_control: true, current_pos: 40, apower: 0 },
    "em:10": { id: 10, total_act_power: 30, a_act_power: 10, a_voltage: 230, b_act_power: 20, b_voltage: 231 },
    "pm1:13": { id: 13, apower: 5, voltage: 230, aenergy: { total: 100 } },
    "temperature:10": { id: 10, tC: 21 },
    "humidity:10": { id: 10, rh: 40 },
    "illuminance:10": { id: 10, lux: 100, illumination: "dark" },
    "devicepower:10": { id: 10, battery: { V: 5.9, percent: 80 } },
    "smoke:10": { id: 10, alarm: false },
    "flood:10": { id: 10, alarm: false },
    "input:12": { id: 12, percent: 40 },
    "enum:212": { value: "low" },
  },
};

/** Kind, component, the members that are sent as text, the property, its value before, and what it is then. */
type Row = readonly [RawKind, string, string, string, Value, Value];

const ROWS: readonly Row[] = [
  ["no value", "temperature:10", '{"tC":null}', "Temperature:10.celsius", 21, null],
  ["no value", "cover:10", '{"current_pos":null}', "Cover:10.position", 40, null],
  ["no value", "cover:10", '{"current_pos":null}', "Cover:10.target", 40, null],
  ["no value", "smoke:10", '{"alarm":null}', "Smoke:10.detected", false, null],
  ["no value", "devicepower:10", '{"battery":null}', "Battery:10.percent", 80, null],
  ["no value", "pm1:13", '{"aenergy":null}', "Electricity:13.energy", 0.1, null],
  ["no value", "pm1:13", "null", "Electricity:13.watts", 5, null],
  ["no value", "rgb:12", '{"rgb":null}', "LightColor:12.hue", 0, null],
  ["no value", "enum:212", '{"value":null}', "Settings:0.level", "low", null],
  ["member left out", "pm1:13", '{"voltage":229}', "Electricity:13.watts", 5, 5],
  ["member left out", "pm1:13", '{"aenergy":{"by_minute":[0]},"apower":7}', "Electricity:13.watts", 5, 7],
  ["word for no value", "temperature:10", '{"tC":"unknown"}', "Temperature:10.celsius", 21, null],
  ["word for no value", "humidity:10", '{"rh":"unavailable"}', "Humidity:10.percent", 40, null],
  ["word for no value", "light:10", '{"output":"None"}', "Switch:10.on", false, null],
  ["not a number", "pm1:13", '{"apower":NaN}', "Electricity:13.watts", 5, null],
  ["not a number", "pm1:13", '{"apower":nan,"voltage":228}', "Electricity:13.volts", 230, 228],
  ["not a number", "temperature:10", '{"tC":-Infinity}', "Temperature:10.celsius", 21, null],
  ["not a number", "light:10", '{"brightness":[]}', "LightLevel:10.level", 50, null],
  ["number as text", "pm1:13", '{"apower":"12.5"}', "Electricity:13.watts", 5, 12.5],
  ["number as text", "pm1:13", '{"aenergy":{"total":"1500"}}', "Electricity:13.energy", 0.1, 1.5],
  ["number as text", "cover:10", '{"current_pos":"70"}', "Cover:10.position", 40, 70],
  ["number as text", "smoke:10", '{"alarm":"true"}', "Smoke:10.detected", false, true],
  ["protocol marker", "cover:10", '{"current_pos":-1}', "Cover:10.position", 40, null],
  ["protocol marker", "devicepower:10", '{"battery":{"percent":-1}}', "Battery:10.percent", 80, null],
  [
    "protocol marker",
    "em:10",
    '{"errors":["power_meter_failure"],"total_act_power":0}',
    "Electricity:40.watts",
    30,
    null,
  ],
  ["protocol marker", "em:10", '{"errors":["ct_type_not_set"],"a_act_power":0}', "Electricity:41.watts", 10, null],
  [
    "protocol marker",
    "em:10",
    '{"a_errors":["out_of_range:voltage"],"a_voltage":0}',
    "Electricity:41.volts",
    230,
    null,
  ],
  ["protocol marker", "em:10", '{"a_errors":["out_of_range:voltage"],"a_voltage":0}', "Electricity:40.watts", 30, null],
  [
    "protocol marker",
    "em:10",
    '{"a_errors":["out_of_range:voltage"],"b_voltage":229}',
    "Electricity:42.volts",
    231,
    229,
  ],
  ["protocol marker", "temperature:10", '{"errors":["read"],"tC":0}', "Temperature:10.celsius", 21, null],
  ["protocol marker", "humidity:10", '{"errors":["out_of_range"]}', "Humidity:10.percent", 40, null],
  ["protocol marker", "flood:10", '{"errors":["cable_unplugged"]}', "WaterLeak:10.detected", false, null],
  ["protocol marker", "pm1:13", '{"errors":["overvoltage"],"voltage":290}', "Electricity:13.volts", 230, 290],
  ["excess of rounding", "light:10", '{"brightness":100.4}', "LightLevel:10.level", 50, 100],
  ["excess of rounding", "cover:10", '{"current_pos":-0.4}', "Cover:10.position", 40, 0],
  ["share out of range", "light:10", '{"brightness":255}', "LightLevel:10.level", 50, null],
  ["share out of range", "cover:10", '{"current_pos":130}', "Cover:10.position", 40, null],
  ["share out of range", "cct:11", '{"ct":0}', "LightTemperature:11.kelvin", 3000, null],
  ["share out of range", "cct:11", '{"ct":65535}', "LightTemperature:11.kelvin", 3000, null],
  ["share out of range", "rgb:12", '{"rgb":[300,0,65535]}', "LightColor:12.saturation", 100, null],
  ["share out of range", "devicepower:10", '{"battery":{"percent":255}}', "Battery:10.percent", 80, null],
  ["measured out of range", "humidity:10", '{"rh":104.2}', "Humidity:10.percent", 40, 104.2],
  ["measured out of range", "input:12", '{"percent":-3}', "Input:12.percent", 40, -3],
  ["unlisted word", "illuminance:10", '{"illumination":"dusk"}', "Readings:10.illumination", "dark", null],
  ["unlisted word", "cover:10", '{"state":"tilted"}', "Cover:10.movement", "stopped", null],
  ["unlisted word", "smoke:10", '{"alarm":2}', "Smoke:10.detected", false, null],
  ["unlisted word", "enum:212", '{"value":"medium"}', "Settings:0.level", "low", null],
];

/** @param say sends a text on every channel of the device */
export function shellyRawValues(device: FakeShelly, say: (text: string) => void): RawValues {
  return { cases: ROWS.map((row) => rawCase(row, device, say)), cannot: {} };
}

function rawCase(
  [kind, component, raw, address, before, value]: Row,
  device: FakeShelly,
  say: (text: string) => void,
): RawCase {
  return {
    ...{ kind, before, value, raw: `${component} ${raw}`, property: addressIn(address) },
    sendBefore: () => device.change(component, { errors: null, a_errors: null, ...RAW_COMPONENTS.status[component] }),
    send: () => say(`{"src":"${device.id}","dst":"x","method":"NotifyStatus","params":{"ts":1,"${component}":${raw}}}`),
  };
}
