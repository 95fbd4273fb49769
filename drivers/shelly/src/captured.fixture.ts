/**
 * Twelve devices as they describe themselves: what they have, how it is configured, and what was so at one moment.
 *
 * Facts of the captures in home-assistant/core, tests/components/shelly/fixtures (Apache-2.0), written down anew: names, places and
 * addresses are our own, and what concerns only the device's own network is left out.
 */
import type { ComponentsJson } from "./description/shelly-property.ts";

export interface Captured {
  readonly info: Readonly<Record<string, unknown>> & { readonly id: string; readonly mac: string };
  readonly config: ComponentsJson;
  readonly status: ComponentsJson;
}

interface Model {
  readonly id: string;
  readonly mac: string;
  readonly gen: number;
  readonly model: string;
  readonly app: string;
  readonly ver: string;
  readonly auth?: boolean;
}

const NONE = { enable: false };

/** With what each of them has: its system, its network, its services. */
function captured(
  { auth = false, ...model }: Model,
  rssi: number | undefined,
  config: ComponentsJson,
  status: ComponentsJson,
): Captured {
  const auth_domain = auth ? model.id : null;
  const device = { name: null, mac: model.mac, discoverable: true };
  return {
    info: { ...model, name: null, slot: 0, auth_en: auth, auth_domain },
    config: { ble: NONE, cloud: NONE, mqtt: NONE, ws: NONE, sys: { device, cfg_rev: 7 }, wifi: { sta: {} }, ...config },
    status: {
      ...{ ble: {}, cloud: { connected: false }, mqtt: { connected: false }, ws: { connected: false } },
      sys: { mac: model.mac, restart_required: false, uptime: 103, cfg_rev: 7, available_updates: {} },
      wifi: { sta_ip: "192.0.2.24", status: "got ip", ...(rssi !== undefined && { rssi }) },
      ...status,
    },
  };
}

/** What a relay with a meter says. */
function metered(id: number, output: boolean, [apower, voltage, current, total, pf = 0]: readonly number[]) {
  const minutes = { by_minute: [0, 0, 0], minute_ts: 1_747_488_720 };
  return {
    ...{ id, output, apower, voltage, current, freq: 50, pf, source: "init" },
    ...{ aenergy: { ...minutes, total }, ret_aenergy: { ...minutes, total: 0 } },
  };
}

const relayConfig = (id: number, initial_state = "match_input") => ({
  id,
  name: null,
  in_mode: "follow",
  initial_state,
});
const inputConfig = (id: number, type: string) => ({ id, name: null, type, invert: false });

export const RELAYS = captured(
  { id: "shelly2pmg3-aabbcc000001", mac: "AABBCC000001", gen: 3, model: "S3SW-002P16EU", app: "S2PMG3", ver: "1.6.1" },
  -52,
  {
    ...{ "switch:0": relayConfig(0), "switch:1": relayConfig(1) },
    ...{ "input:0": inputConfig(0, "switch"), "input:1": inputConfig(1, "switch"), knx: NONE, matter: NONE },
  },
  {
    "switch:0": { ...metered(0, false, [0, 216.2, 0, 0]), temperature: { tC: 40.6, tF: 105.1 } },
    "switch:1": { ...metered(1, false, [0, 216.3, 0, 0]), temperature: { tC: 40.6, tF: 105.1 } },
    ...{ "input:0": { id: 0, state: false }, "input:1": { id: 1, state: false }, knx: {}, matter: { num_fabrics: 0 } },
  },
);

const shutterMeter = { aenergy: { by_minute: [0, 0, 0], minute_ts: 1_747_492_440, total: 0 }, apower: 0, current: 0 };

export const SHUTTER = captured(
  { id: "shelly2pmg3-aabbcc000002", mac: "AABBCC000002", gen: 3, model: "S3SW-002P16EU", app: "S2PMG3", ver: "1.6.1" },
  -53,
  {
    "cover:0": { id: 0, name: null, in_mode: "dual", maxtime_open: 60, maxtime_close: 60, slat: { enable: false } },
    ...{ "input:0": inputConfig(0, "switch"), "input:1": inputConfig(1, "switch") },
  },
  {
    "cover:0": {
      ...{ id: 0, state: "stopped", last_direction: null, pos_control: false, source: "init", ...shutterMeter },
      ...{ freq: 50, pf: 0, voltage: 217.7, temperature: { tC: 36.4, tF: 97.5 } },
    },
    ...{ "input:0": { id: 0, state: false }, "input:1": { id: 1, state: false } },
  },
);

export const SCENT = captured(
  {
    id: "cury-aabbcc000003",
    mac: "AABBCC000003",
    gen: 4,
    model: "S4PB-00CU000002",
    app: "Cury",
    ver: "1.8.99-dev144746",
  },
  -49,
  { "cury:0": { id: 0, name: null, boost_time: 1800, ambient: { enable: false, brightness: 100 } } },
  {
    "cury:0": {
      ...{ id: 0, away_mode: false, mode: "living_room" },
      slots: {
        left: { on: false, intensity: 70, boost: null, timer: null, vial: { level: 100, name: "First", serial: "1" } },
        right: { on: true, intensity: 45, boost: null, timer: null, vial: { level: 93, name: "Second", serial: "2" } },
      },
    },
  },
);

export const WHITE_LAMP = captured(
  {
    ...{ id: "shellyduobulbg3-aabbcc000004", mac: "AABBCC000004", gen: 3, model: "S3BL-D010009AEU", app: "DuoBulbG3" },
    ver: "1.8.99-dev144333",
  },
  -50,
  { "cct:0": { id: 0, name: "Lamp", initial_state: "restore_last", range_map: [0, 100], transition_duration: 5 } },
  {
    "cct:0": {
      ...{ id: 0, output: false, brightness: 5, ct: 2700, apower: 0, source: "transition", tag: null },
      aenergy: { by_minute: [0, 0, 0], minute_ts: 1_762_085_640, total: 200.589 },
    },
  },
);

const ownedBy = (role: string, name: string, access = "crw") => ({ role, name, access, owner: "service:0" });
const measured = (unit: string, step?: number) => ({
  ui: { unit, view: "label", ...(step !== undefined && { step }) },
});
const ZONES = [0, 1, 2, 3, 4, 5];

export const IRRIGATION = captured(
  { id: "irrigation-aabbcc000005", mac: "AABBCC000005", gen: 3, model: "S3XT-0S", app: "XT1", ver: "1.4.99-xt-prod1" },
  -38,
  {
    ...Object.fromEntries(
      ZONES.map((zone) => [`boolean:${200 + zone}`, { id: 200 + zone, ...ownedBy(`zone${zone}`, `Zone ${zone + 1}`) }]),
    ),
    "enum:200": { id: 200, ...ownedBy("active_sequence", "Active Sequence"), options: ["none", "seq_0"] },
    "number:200": {
      ...{ id: 200, ...ownedBy("average_temperature", "Average Temperature", "cr"), min: -50, max: 100 },
      meta: measured("°C"),
    },
    "number:201": {
      ...{ id: 201, ...ownedBy("last_precipitation", "Rainfall last 24h", "cr"), min: 0, max: 99_999 },
      meta: measured("mm/m2"),
    },
    "object:200": { id: 200, ...ownedBy("zones_status", "Zones status") },
    "service:0": { id: 0, limit_zones: 2 },
  },
  {
    ...Object.fromEntries(ZONES.map((zone) => [`boolean:${200 + zone}`, { value: false }])),
    ...{ "enum:200": { value: "none" }, "number:200": { value: 0 }, "number:201": { value: 0 } },
    ...{ "object:200": { value: { zone0: { duration: 10, source: "rpc" } } }, "service:0": { state: "running" } },
  },
);

export const POWER_STRIP = captured(
  {
    ...{ id: "shellypstripg4-aabbcc000006", mac: "AABBCC000006", gen: 4, model: "S4PL-00416EU", app: "PowerStrip" },
    ...{ ver: "1.8.99-dev134818", auth: true },
  },
  -68,
  {
    ...Object.fromEntries([0, 1, 2, 3].map((id) => [`switch:${id}`, relayConfig(id, "on")])),
    powerstrip_ui: { leds: { mode: "off" } },
  },
  {
    "switch:0": metered(0, true, [0, 232.5, 0.017, 6468.282]),
    "switch:1": metered(1, true, [1.7, 232.6, 0.017, 4227.56, 0.42]),
    "switch:2": metered(2, false, [0, 231.2, 0, 336.76]),
    "switch:3": metered(3, true, [15.4, 231.2, 0.169, 18_440.297, 0.62]),
    powerstrip_ui: {},
  },
);

const zone = (id: number, name: string) => ({ id, name, enable: true, area: [[-8, 16, 8, 0]] });

export const PRESENCE = captured(
  {
    id: "shellypresence-aabbcc000007",
    mac: "AABBCC000007",
    gen: 4,
    model: "S4SN-0U61X",
    app: "PresenceG4",
    ver: "1.8.99",
  },
  -60,
  {
    "illuminance:0": { id: 0, name: null, dark_thr: 10, bright_thr: 50 },
    presence: { enable: true, main_zone: "presencezone:200" },
    ...{
      "presencezone:200": zone(200, "Room"),
      "presencezone:201": zone(201, "Sofa"),
      "presencezone:202": zone(202, "Door"),
    },
  },
  {
    "illuminance:0": { id: 0, illumination: "twilight" },
    presence: { live_track: { interval: 1 } },
    "presencezone:200": { id: 200, value: true, num_objects: 1 },
    "presencezone:201": { id: 201, value: true, num_objects: 1 },
    "presencezone:202": { id: 202, value: false, num_objects: 0 },
  },
);

export const BREAKER = captured(
  {
    id: "shellypro1cb-aabbcc000008",
    mac: "AABBCC000008",
    gen: 2,
    model: "SPCB-01VENEU",
    app: "ProCB",
    ver: "2.0.0-beta3",
  },
  -52,
  {
    "cb:0": { id: 0, name: null, undervoltage_limit: 200, voltage_limit: 250 },
    "voltmeter:0": { id: 0, name: null, xvoltage: { expr: null, unit: null } },
    eth: NONE,
  },
  {
    "cb:0": {
      id: 0,
      output: true,
      safety: false,
      source: "init",
      total_cycles: 14,
      temperature: { tC: 33.8, tF: 92.8 },
    },
    "voltmeter:0": { id: 0, voltage: 222.33 },
    eth: { ip: null },
  },
);

export const THREE_PHASES = captured(
  {
    ...{ id: "shellypro3em-aabbcc000009", mac: "AABBCC000009", gen: 2, model: "SPEM-003CEBEU", app: "Pro3EM" },
    ...{ ver: "1.6.1", auth: true },
  },
  -57,
  {
    "em:0": { id: 0, name: null, ct_type: "120A", phase_selector: "all" },
    ...{ "emdata:0": {}, "temperature:0": { id: 0, name: null, offset_C: 0 }, eth: NONE, modbus: { enable: true } },
  },
  {
    "em:0": {
      ...{ id: 0, total_act_power: 2413.825, total_aprt_power: 2525.779, total_current: 11.116, n_current: null },
      ...{ a_act_power: 2166.2, a_aprt_power: 2175.9, a_current: 9.592, a_freq: 49.9, a_pf: 0.99, a_voltage: 227 },
      ...{ b_act_power: 3.6, b_aprt_power: 10.1, b_current: 0.044, b_freq: 49.9, b_pf: 0.36, b_voltage: 230 },
      ...{ c_act_power: 244, c_aprt_power: 339.7, c_current: 1.479, c_freq: 49.9, c_pf: 0.72, c_voltage: 230.2 },
    },
    "emdata:0": {
      ...{ id: 0, total_act: 5_415_414.19, total_act_ret: 0 },
      ...{ a_total_act_energy: 3_105_576.42, a_total_act_ret_energy: 0 },
      ...{ b_total_act_energy: 195_765.72, b_total_act_ret_energy: 0 },
      ...{ c_total_act_energy: 2_114_072.05, c_total_act_ret_energy: 0 },
    },
    ...{ "temperature:0": { id: 0, tC: 46.3, tF: 115.4 }, eth: { ip: null }, modbus: {} },
  },
);

export const FLOOR_HEATING = captured(
  { id: "st1820-aabbcc00000a", mac: "AABBCC00000A", gen: 3, model: "S3XT-0S", app: "XT1", ver: "1.4.99-xt-prod1" },
  -41,
  {
    "boolean:200": { id: 200, ...ownedBy("anti_freeze", "Anti-freeze") },
    "boolean:201": { id: 201, ...ownedBy("child_lock", "Child lock") },
    "boolean:202": { id: 202, ...ownedBy("enable", "Enable thermostat") },
    "number:200": {
      id: 200,
      ...ownedBy("current_humidity", "Current humidity", "cr"),
      min: 0,
      max: 100,
      meta: measured("%"),
    },
    "number:201": {
      ...{ id: 201, ...ownedBy("current_temperature", "Current temperature", "cr"), min: 15, max: 35 },
      meta: measured("°C"),
    },
    "number:202": {
      ...{ id: 202, ...ownedBy("target_temperature", "Target temperature"), min: 15, max: 35 },
      meta: measured("°C", 0.5),
    },
    "service:0": { id: 0, temp_hysteresis: 1 },
  },
  {
    ...{ "boolean:200": { value: false }, "boolean:201": { value: true }, "boolean:202": { value: true } },
    ...{ "number:200": { value: 59 }, "number:201": { value: 25.5 }, "number:202": { value: 27 } },
    "service:0": { state: "running" },
  },
);

export const AIR_CONDITIONING = captured(
  { id: "st-802-aabbcc00000b", mac: "AABBCC00000B", gen: 3, model: "S3XT-0S", app: "XT1", ver: "1.4.99-xt-prod1" },
  -46,
  {
    "boolean:200": { id: 200, ...ownedBy("anti_freeze", "Anti-Freeze") },
    "boolean:201": { id: 201, ...ownedBy("enable", "Enable thermostat") },
    "enum:200": { id: 200, ...ownedBy("fan_speed", "Fan speed"), options: ["auto", "low", "medium", "high"] },
    "enum:201": {
      id: 201,
      ...ownedBy("working_mode", "Working mode"),
      options: ["cool", "dry", "heat", "ventilation"],
    },
    "number:200": {
      id: 200,
      ...ownedBy("current_humidity", "Current humidity"),
      min: 0,
      max: 100,
      meta: measured("%"),
    },
    "number:201": {
      ...{ id: 201, ...ownedBy("current_temperature", "Current temperature"), min: 5, max: 35 },
      meta: measured("°C", 0.5),
    },
    "number:202": { id: 202, ...ownedBy("target_humidity", "Target humidity"), min: 40, max: 75, meta: measured("%") },
    "number:203": {
      ...{ id: 203, ...ownedBy("target_temperature", "Target temperature"), min: 5, max: 35 },
      meta: measured("°C", 0.5),
    },
    "service:0": { id: 0, temp_unit: "C" },
  },
  {
    ...{ "boolean:200": { value: false }, "boolean:201": { value: true } },
    ...{ "enum:200": { value: "auto" }, "enum:201": { value: "heat" } },
    ...{ "number:200": { value: 58 }, "number:201": { value: 25.1 }, "number:202": { value: 60 } },
    ...{ "number:203": { value: 20.5 }, "service:0": { state: "running" } },
  },
);

const MISSING = ["Sensor driver missing from firmware"];

export const WALL_DISPLAY = captured(
  {
    ...{ id: "ShellyWallDisplay-AABBCC00000C", mac: "AABBCC00000C", gen: 2, model: "SAWD-3A1XE10EU2" },
    ...{ app: "WallDisplayV2", ver: "2.4.4" },
  },
  -48,
  {
    "switch:0": { id: 0, name: null, in_mode: "detached", initial_state: "off" },
    ...{
      "input:0": inputConfig(0, "button"),
      "input:1": inputConfig(1, "switch"),
      "input:2": inputConfig(2, "switch"),
    },
    ...{ "input:3": inputConfig(3, "button"), "input:4": inputConfig(4, "button") },
    ...{ "temperature:0": { id: 0, name: null }, "humidity:0": { id: 0, name: null } },
    "illuminance:0": { id: 0, name: null, bright_thr: 200, dark_thr: 30 },
    ...{ ui: { lock_type: "none" }, media: { rev: 0 } },
  },
  {
    "switch:0": { id: 0, output: true, source: "RPC Set" },
    ...{ "input:0": { id: 0, state: false }, "input:1": { id: 1 }, "input:2": { id: 2, state: true } },
    ...{ "input:3": { id: 3 }, "input:4": { id: 4 } },
    "temperature:0": { id: 0, tC: -275.149_993_896_484_4, tF: -463.2, errors: MISSING },
    "humidity:0": { id: 0, rh: -2, errors: MISSING },
    "illuminance:0": { id: 0, lux: 120, illumination: "twilight" },
    ...{ media: { playback: { enable: false } }, "devicepower:0": { id: 0, external: { present: true } } },
  },
);

export const CAPTURED: readonly Captured[] = [
  ...[RELAYS, SHUTTER, SCENT, WHITE_LAMP, IRRIGATION, POWER_STRIP, PRESENCE, BREAKER, THREE_PHASES],
  ...[FLOOR_HEATING, AIR_CONDITIONING, WALL_DISPLAY],
];
