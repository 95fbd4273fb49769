/** The world of the driver of Hue bridges for the judge: a paired bridge in memory, a lamp and a button behind it, and more lamps. */
import { parseRawJson } from "@porchlight/driver-kit";
import { addressIn } from "@porchlight/driver-kit/contract/address-in.fixture.ts";
import type { CrowdDevice, DriverWorld, RawKind, Stage } from "@porchlight/driver-kit/judge/world.suite.ts";
import { memoryStore } from "@porchlight/driver-kit/kept/memory-store.fixture.ts";
import type { Value } from "@porchlight/shared/model";
import type { Resource } from "./bridge/resource.ts";
import { HueDriver } from "./hue-driver.ts";
import { MemoryBridge } from "./memory-bridge.fixture.ts";

const BRIDGE_ID = "001788FFFEAABBCC";
const KEY = "secret-application-key";
const ON = { service: "Switch", index: "0", property: "on" };
const PRESS = { service: "Button", index: "0", property: "event" };
/** What a bridge has room for. */
const MOST_LAMPS = 60;
const MEBIBYTE = 1024 * 1024;
const EVENTS = { press: "initial_press", release: "short_release", double: "double_short_release", long: "long_press" };

export function hueWorld({ clock, fakeClock, random, log }: Stage): DriverWorld {
  const bridge = new MemoryBridge(fakeClock, lamp(0, true, MEMBERS));
  const store = paired(BRIDGE_ID);
  const light = idOf(0);
  return {
    make: (host) =>
      HueDriver.start({
        ...{ clock, random, log, host, store, bridges: [], admit: { all: true, edgeIds: new Set() } },
        pairing: { facts: unreachable, askKey: unreachable },
        open: () => bridge.open,
      }),
    device: edgeIdOf(0),
    property: ON,
    touched: () => bridge.touched.get(light) ?? 0,
    actual: () => isOn(bridge, light),
    silence: () => void bridge.silent.add(light),
    speak: () => void bridge.silent.delete(light),
    slow: (ms) => {
      bridge.delayMs = ms;
    },
    cut: () => bridge.cut(),
    mend: () => bridge.mend(),
    change: (value) => bridge.change(light, { on: { on: value } }),
    tries: () => bridge.tries,
    held: () => bridge.held,
    leftAside: ["badEvent", "badResource", "tooManyResources", "wrongType"],
    crowd: (count) => Array.from({ length: Math.min(count, MOST_LAMPS) }, (_, at) => another(bridge, at + 1)),
    event: {
      property: PRESS,
      values: Object.keys(EVENTS),
      happen: (value) => {
        const event = EVENTS[value as keyof typeof EVENTS];
        const button_report = { event, updated: "2026-11-25T10:00:00.000Z" };
        bridge.say([{ type: "update", data: [{ id: "button", type: "button", button: { button_report } }] }]);
      },
    },
    refuse: () => {
      bridge.refuses = true;
    },
    secrets: [KEY],
    ...handsOf(bridge),
    floods: {
      reports: () => flood(10_000, (at) => bridge.change(light, { dimming: { brightness: at % 101 } })),
      garbage: () => flood(1500, (at) => bridge.say(GARBAGE[at % GARBAGE.length])),
      "long messages": () => flood(10, () => bridge.say([{ type: "x".repeat(MEBIBYTE), data: [1] }])),
    },
  };
}

/** What the judge of values and of things asks for. */
function handsOf(bridge: MemoryBridge): Pick<DriverWorld, "repeat" | "sampleEarly" | "rawValues" | "things"> {
  const update = ({ id, type }: Resource, json: string) =>
    bridge.say(parseRawJson(`[{"type":"update","data":[{"id":"${id}","type":"${type}",${json}}]}]`));
  return {
    repeat: () => bridge.change(idOf(0), { on: { on: isOn(bridge, idOf(0)) } }),
    sampleEarly: () => {
      bridge.samplesEarly = true;
    },
    rawValues: {
      cases: RAW_CASES.map(([kind, { of, key, good, before }, raw, value]) => ({
        ...{ kind, raw, property: addressIn(key), before, value },
        sendBefore: () => update(of, good),
        send: () => update(of, raw),
      })),
      cannot: {},
    },
    things: {
      ...{ device: edgeIdOf(STRIP), service: "Switch", property: "on", ids: ["a", "b", "c"] },
      have: (ids) => {
        const all = relays(ids);
        const isGone = (id: string) => id.startsWith(RELAY) && !all.some((each) => each.id === id);
        bridge.replace(all, [...bridge.resources.keys()].filter(isGone));
      },
      commanded: () => bridge.commands.flatMap((id) => (id.startsWith(RELAY) ? [id.slice(RELAY.length)] : [])),
    },
  };
}

/** A service of the lamp with its property, and a good value of both. */
interface Member {
  readonly of: Resource;
  readonly key: string;
  readonly good: string;
  readonly before: Value;
}

const COLOUR_LAMP: Resource = {
  ...{ id: "light-colour", type: "light", on: { on: true }, dimming: { brightness: 50 } },
  color: { xy: { x: 0.64, y: 0.33 } },
  color_temperature: { mirek: null, mirek_valid: false, mirek_schema: { mirek_minimum: 153, mirek_maximum: 500 } },
};
const sensor = (type: string, fields: object): Resource => ({ id: `the-${type}`, type, enabled: true, ...fields });
const MOTION_SENSOR = sensor("motion", { motion: { motion: false, motion_valid: true } });
const THERMOMETER = sensor("temperature", { temperature: { temperature: 20, temperature_valid: true } });
const LIGHT_SENSOR = sensor("light_level", { light: { light_level: 10_001, light_level_valid: true } });
const CONTACT_SENSOR = sensor("contact", { contact_report: { state: "contact" } });
const TAMPER_SENSOR = sensor("tamper", { tamper_reports: [{ source: "battery_door", state: "tampered" }] });
const POWER = sensor("device_power", { power_state: { battery_level: 90, battery_state: "normal" } });
const MEMBERS = [COLOUR_LAMP, MOTION_SENSOR, THERMOMETER, LIGHT_SENSOR, CONTACT_SENSOR, TAMPER_SENSOR, POWER];

const member = (of: Resource, key: string, good: string, before: Value): Member => ({ of, key, good, before });
const ON_OFF = member(COLOUR_LAMP, "Switch:1.on", '"on":{"on":true}', true);
const LEVEL = member(COLOUR_LAMP, "LightLevel:1.level", '"dimming":{"brightness":40}', 40);
const HUE = member(
  COLOUR_LAMP,
  "LightColor:1.hue",
  '"color":{"xy":{"x":0.3,"y":0.6}},"color_temperature":{"mirek":null,"mirek_valid":false}',
  120,
);
const KELVIN = member(
  COLOUR_LAMP,
  "LightTemperature:1.kelvin",
  '"color_temperature":{"mirek":250,"mirek_valid":true}',
  4000,
);
const MOTION = member(
  MOTION_SENSOR,
  "Motion:0.detected",
  '"enabled":true,"motion":{"motion":true,"motion_valid":true}',
  true,
);
const CELSIUS = member(
  THERMOMETER,
  "Temperature:0.celsius",
  '"temperature":{"temperature":21.5,"temperature_valid":true}',
  21.5,
);
const LUX = member(LIGHT_SENSOR, "Illuminance:0.lux", '"light":{"light_level":10001,"light_level_valid":true}', 10);
const OPEN = member(CONTACT_SENSOR, "Contact:0.open", '"contact_report":{"state":"no_contact"}', true);
const TAMPER = member(TAMPER_SENSOR, "Tamper:0.detected", '"tamper_reports":[{"state":"tampered"}]', true);
const CHARGE = member(POWER, "Battery:0.percent", '"power_state":{"battery_level":80,"battery_state":"low"}', 80);
const LOW = { ...CHARGE, key: "Battery:0.low", before: true };

const RAW_CASES: readonly (readonly [RawKind, Member, string, Value])[] = [
  ["no value", ON_OFF, '"on":{"on":null}', null],
  ["no value", LEVEL, '"dimming":{"brightness":null}', null],
  ["no value", LEVEL, '"dimming":null', null],
  ["no value", HUE, '"color":{"xy":null}', null],
  ["no value", KELVIN, '"color_temperature":{"mirek":null,"mirek_valid":false}', null],
  ["no value", CHARGE, '"power_state":{"battery_level":null,"battery_state":"low"}', null],
  ["no value", MOTION, '"motion":{"motion":false,"motion_valid":false}', null],
  ["no value", CELSIUS, '"temperature":{"temperature":21.5,"temperature_valid":false}', null],
  ["no value", LUX, '"light":{"light_level":10001,"light_level_valid":false}', null],
  ["no value", MOTION, '"enabled":false', null],
  ["no value", OPEN, '"contact_report":null', null],
  ["no value", TAMPER, '"tamper_reports":[]', null],
  ["member left out", LEVEL, '"on":{"on":true}', 40],
  ["member left out", CELSIUS, '"enabled":true', 21.5],
  ["word for no value", MOTION, '"motion":{"motion":"unknown","motion_valid":true}', null],
  ["word for no value", CELSIUS, '"temperature":{"temperature":"unavailable","temperature_valid":true}', null],
  ["word for no value", OPEN, '"contact_report":{"state":"unknown"}', null],
  ["not a number", LEVEL, '"dimming":{"brightness":NaN}', null],
  ["not a number", CELSIUS, '"temperature":{"temperature":-Infinity,"temperature_valid":true}', null],
  ["number as text", LEVEL, '"dimming":{"brightness":"55.5"}', 55.5],
  ["number as text", CELSIUS, '"temperature":{"temperature":"-3","temperature_valid":true}', -3],
  ["number as text", ON_OFF, '"on":{"on":"false"}', false],
  ["protocol marker", KELVIN, '"color_temperature":{"mirek":0,"mirek_valid":true}', null],
  ["protocol marker", KELVIN, '"color_temperature":{"mirek":65535,"mirek_valid":true}', null],
  ["protocol marker", LUX, '"light":{"light_level":65535,"light_level_valid":true}', null],
  ["protocol marker", LUX, '"light":{"light_level":0,"light_level_valid":true}', 0],
  ["protocol marker", CELSIUS, '"temperature":{"temperature":-327.68,"temperature_valid":true}', null],
  ["protocol marker", LEVEL, '"dimming":{"brightness":0}', null],
  ["excess of rounding", LEVEL, '"dimming":{"brightness":100.3}', 100],
  ["excess of rounding", CHARGE, '"power_state":{"battery_level":100.4}', 100],
  ["share out of range", LEVEL, '"dimming":{"brightness":254}', null],
  ["share out of range", CHARGE, '"power_state":{"battery_level":255}', null],
  ["share out of range", HUE, '"color":{"xy":{"x":3,"y":0.6}}', null],
  ["protocol marker", HUE, '"color":{"xy":{"x":0,"y":0}}', null],
  ["measured out of range", CELSIUS, '"temperature":{"temperature":900,"temperature_valid":true}', 900],
  ["unlisted word", OPEN, '"contact_report":{"state":"ajar"}', null],
  ["unlisted word", TAMPER, '"tamper_reports":[{"state":"not_tampered"},{"state":"perhaps"}]', null],
  ["unlisted word", LOW, '"power_state":{"battery_level":80,"battery_state":"fair"}', null],
  ["unlisted word", MOTION, '"motion":{"motion":254,"motion_valid":true}', null],
];

const STRIP = 200;
const RELAY = "relay-";

/** A strip of relays: a service each, in the order in which the bridge lists them. */
function relays(ids: readonly string[]): readonly Resource[] {
  const owner = { rid: "device-strip", rtype: "device" };
  const lights = ids.map((id): Resource => ({ id: `${RELAY}${id}`, type: "light", owner, on: { on: false } }));
  const zigbee = zigbeeOf(STRIP, owner);
  const services = [...lights, zigbee].map(({ id, type }) => ({ rid: id, rtype: type }));
  return [...lights, zigbee, { id: owner.rid, type: "device", metadata: { name: "Strip" }, services }];
}

function zigbeeOf(at: number, owner: object): Resource {
  return {
    ...{ id: `zigbee-${at}`, type: "zigbee_connectivity", owner, status: "connected" },
    mac_address: edgeIdOf(at).replaceAll("-", ":").toLowerCase(),
  };
}

/** A store with the key of a bridge in it. */
export function paired(bridgeId: string) {
  const kept = Buffer.from(JSON.stringify({ key: KEY, host: "10.0.0.9", port: 443 }));
  return memoryStore(new Map([[`bridge ${bridgeId}`, kept]]));
}

const GARBAGE: readonly unknown[] = [
  undefined,
  { type: "update" },
  [{ type: "update", data: [{ type: "light" }] }],
  [{ type: "update", data: [{ id: idOf(0), type: "light", on: { on: "yes" } }, 7] }],
];

function idOf(at: number): string {
  return `light-${at}`;
}

function edgeIdOf(at: number): string {
  return `00-17-88-01-00-00-00-${at.toString(16).padStart(2, "0").toUpperCase()}`;
}

function lamp(at: number, hasButton: boolean, more: readonly Resource[] = []): Resource[] {
  const owner = { rid: `device-${at}`, rtype: "device" };
  const button: Resource[] = hasButton ? [{ id: "button", type: "button", metadata: { control_id: 1 }, owner }] : [];
  const light: Resource = {
    ...{ id: idOf(at), type: "light", owner, on: { on: false } },
    dimming: { brightness: 40, min_dim_level: 0 },
  };
  const zigbee = zigbeeOf(at, owner);
  const others = more.map((each): Resource => ({ ...each, owner }));
  const services = [light, ...button, zigbee, ...others].map(({ id, type }) => ({ rid: id, rtype: type }));
  return [
    { id: owner.rid, type: "device", identify: {}, metadata: { name: `Lamp ${at}` }, services },
    ...[light, ...button, zigbee, ...others],
  ];
}

function another(bridge: MemoryBridge, at: number): CrowdDevice {
  for (const each of lamp(at, false)) bridge.resources.set(each.id, each);
  return { edgeId: edgeIdOf(at), property: ON, silence: () => void bridge.silent.add(idOf(at)) };
}

function isOn({ resources }: MemoryBridge, id: string): boolean {
  return (resources.get(id)?.on as { readonly on: boolean } | undefined)?.on ?? false;
}

function flood(many: number, say: (at: number) => void): number {
  for (let at = 0; at < many; at++) say(at);
  return many;
}

async function unreachable(): Promise<never> {
  throw new Error("the network is unreachable");
}
