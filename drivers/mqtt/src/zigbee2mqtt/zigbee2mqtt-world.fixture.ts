/** The world of Zigbee2MQTT for the judge: a bridge on a broker in memory, and the devices behind it. */
import type {
  CrowdDevice,
  DriverWorld,
  OpenWorld,
  RawCase,
  RawKind,
} from "@porchlight/driver-kit/judge/world.suite.ts";
import { memoryStore } from "@porchlight/driver-kit/kept/memory-store.fixture.ts";
import type { Clock } from "@porchlight/shared/kernel";
import type { PropertyAddress, Value } from "@porchlight/shared/model";
import { MemoryBroker } from "../broker/memory-broker.fixture.ts";
import { flood, worldBehind } from "../broker-world.fixture.ts";
import { KeptThings } from "../device/kept-things.ts";
import { MqttDriver } from "../mqtt-driver.ts";
import { binary, brightness, colorTemp, colour, numeric, state } from "./described-device.fixture.ts";
import { zigbee2mqttDialect } from "./zigbee2mqtt-dialect.ts";

const BASE = "zigbee2mqtt";
const MEBIBYTE = 1024 * 1024;
const LAMP = "00-15-8D-00-00-00-00-01";
const STRIP = "00-15-8D-00-00-00-00-02";
const WORDS: Readonly<Record<string, string>> = { press: "single", double: "double", long: "hold", release: "release" };

const at = (service: string, property: string): PropertyAddress => ({ service, index: "0", property });
const ON = at("Switch", "on");

/** A lamp, a remote control, and sensors of some kinds in one. */
const LAMP_EXPOSES = [
  { type: "light", features: [state, brightness, colorTemp, colour("color_hs", "hue", "saturation")] },
  { type: "enum", name: "identify", property: "identify", access: 2, values: ["identify"] },
  { type: "enum", name: "action", property: "action", access: 1, values: Object.values(WORDS) },
  numeric("temperature", { unit: "°C" }),
  numeric("battery", { unit: "%" }),
  binary("contact", false, true),
  binary("smoke"),
  { type: "lock", features: [{ ...binary("lock", "LOCK", "UNLOCK", 7), name: "state" }] },
  { type: "cover", features: [numeric("position", { access: 7, unit: "%", value_min: 0, value_max: 100 })] },
];
/** What the lamp is in a good message. */
const GOOD = {
  ...{ state: "ON", brightness: 127, color_temp: 250, color: { hue: 120, saturation: 90 } },
  ...{ temperature: 20.5, battery: 90, contact: true, smoke: false, lock: "LOCK", position: 30 },
};

/** Property, its value in a good message, the case, and what it means. */
const RAW: readonly (readonly [RawKind, PropertyAddress, Value, raw: string, Value])[] = [
  ["no value", ON, true, '{"state":null}', null],
  ["no value", at("LightColor", "hue"), 120, '{"color":null}', null],
  ["no value", at("Lock", "locked"), true, '{"lock":null}', null],
  ["member left out", at("LightLevel", "level"), 50, '{"state":"OFF"}', 50],
  ["word for no value", at("Temperature", "celsius"), 20.5, '{"temperature":"unavailable"}', null],
  ["word for no value", at("Contact", "open"), false, '{"contact":"unknown"}', null],
  ["word for no value", at("Battery", "percent"), 90, '{"battery":""}', null],
  ["not a number", at("Temperature", "celsius"), 20.5, '{"temperature":NaN,"battery":70}', null],
  ["not a number", at("Battery", "percent"), 90, '{"temperature":NaN,"battery":70}', 70],
  ["not a number", at("Cover", "position"), 30, '{"position":-Infinity}', null],
  ["number as text", at("Temperature", "celsius"), 20.5, '{"temperature":"21.7"}', 21.7],
  ["number as text", at("LightLevel", "level"), 50, '{"brightness":"254"}', 100],
  ["number as text", at("Contact", "open"), false, '{"contact":"false"}', true],
  ["protocol marker", at("Temperature", "celsius"), 20.5, '{"temperature":-327.68}', null],
  ["protocol marker", at("LightTemperature", "kelvin"), 4000, '{"color_temp":65535}', null],
  ["protocol marker", at("LightTemperature", "kelvin"), 4000, '{"color_temp":0}', null],
  ["protocol marker", at("LightLevel", "level"), 50, '{"brightness":65535}', null],
  ["protocol marker", at("Battery", "percent"), 90, '{"battery":255}', null],
  ["excess of rounding", at("LightLevel", "level"), 50, '{"brightness":255}', 100],
  ["excess of rounding", at("Cover", "position"), 30, '{"position":100.4}', 100],
  ["share out of range", at("Cover", "position"), 30, '{"position":130}', null],
  ["share out of range", at("LightColor", "hue"), 120, '{"color":{"hue":400,"saturation":50}}', null],
  ["measured out of range", at("Temperature", "celsius"), 20.5, '{"temperature":900}', 900],
  ["unlisted word", at("Lock", "locked"), true, '{"lock":"JAMMED"}', null],
  ["unlisted word", at("Smoke", "detected"), false, '{"smoke":254}', null],
  ["unlisted word", ON, true, '{"state":"TOGGLE"}', null],
];

/** A device on the radio, and what the bridge says for it. */
class ZigbeeDevice {
  isSilent = false;
  delayMs = 0;
  samplesEarly = false;
  touched = 0;
  exposes: readonly object[];
  /** Members that were set, in order. */
  readonly set: string[] = [];
  values: Record<string, unknown>;
  /** What the bridge says for it instead of its values, until they change. */
  raw: string | undefined;
  readonly name: string;
  readonly #ieee: string;
  readonly #broker: MemoryBroker;
  readonly #clock: Clock;

  constructor(broker: MemoryBroker, clock: Clock, edgeId: string, exposes: readonly object[], values: object) {
    this.exposes = exposes;
    this.values = { ...values };
    this.#broker = broker;
    this.#clock = clock;
    this.#ieee = `0x${edgeId.replaceAll("-", "").toLowerCase()}`;
    this.name = `device ${this.#ieee}`;
    broker.on(`${this.#topic}/get`, () => {
      const then = this.samplesEarly ? { ...this.values } : undefined;
      this.#act(() => this.tell(then));
    });
    broker.on(`${this.#topic}/set`, (payload) => this.#take(JSON.parse(payload)));
  }

  get listed(): object {
    const definition = { vendor: "Example", model: "X1", exposes: this.exposes };
    return { ieee_address: this.#ieee, type: "Router", friendly_name: this.name, definition };
  }

  get #topic(): string {
    return `${BASE}/${this.name}`;
  }

  become(values: object): void {
    this.raw = undefined;
    this.values = { ...this.values, ...values };
    this.tell();
  }

  becomeRaw(raw: string): void {
    this.raw = raw;
    this.tell();
  }

  /** The bridge publishes all that it knows of the device. */
  tell(values: object | string = this.raw ?? this.values): void {
    if (!this.isSilent) this.say(values);
  }

  say(payload: unknown): void {
    this.#broker.say(this.#topic, payload);
  }

  /** The bridge repeats what was set before the device has done it. */
  #take(members: Readonly<Record<string, unknown>>): void {
    this.touched += 1;
    this.set.push(...Object.keys(members));
    this.say(members);
    this.#act(() => {
      this.raw = undefined;
      this.values = { ...this.values, ...members };
    });
  }

  #act(does: () => void): void {
    if (this.isSilent) return;
    if (this.delayMs === 0) does();
    else this.#clock.timer("a slow Zigbee device acts", this.delayMs, does);
  }
}

export const zigbee2mqttWorld: OpenWorld = ({ clock, fakeClock, random, log }) => {
  const broker = new MemoryBroker();
  const store = memoryStore();
  const devices: ZigbeeDevice[] = [];
  const list = () =>
    broker.say(
      `${BASE}/bridge/devices`,
      devices.map(({ listed }) => listed),
      true,
    );
  const join = (edgeId: string, exposes: readonly object[], values: object) => {
    const device = new ZigbeeDevice(broker, fakeClock, edgeId, exposes, values);
    devices.push(device);
    list();
    return device;
  };
  broker.say(`${BASE}/bridge/state`, { state: "online" }, true);
  const lamp = join(LAMP, LAMP_EXPOSES, { ...GOOD, state: "OFF" });
  const isOn = () => lamp.values.state === "ON";
  let strip: ZigbeeDevice | undefined;
  const stripOf = (exposes: readonly object[]) => {
    strip ??= join(STRIP, exposes, {});
    strip.exposes = exposes;
    list();
  };
  const world: DriverWorld = {
    make: (host) => {
      const kept = new KeptThings(store);
      return MqttDriver.start({
        ...{ on: "memory", admit: { all: true, edgeIds: new Set([LAMP]) }, dialects: [zigbee2mqttDialect(BASE, kept)] },
        ...{ open: broker.open, clock, random, log, host, kept },
      });
    },
    device: LAMP,
    property: ON,
    touched: () => lamp.touched,
    actual: isOn,
    ...worldBehind(broker, lamp),
    change: (value) => lamp.become({ state: value === true ? "ON" : "OFF" }),
    leftAside: ["wrongType", "notUnderstood", "tooLarge", "tooFast", "badMessage"],
    crowd: (count) =>
      Array.from({ length: count }, (_, place): CrowdDevice => {
        const edgeId = `00-15-8D-00-00-00-01-${place.toString(16).padStart(2, "0").toUpperCase()}`;
        const device = join(edgeId, [{ type: "switch", features: [state] }], { state: "OFF" });
        return { edgeId, property: ON, silence: worldBehind(broker, device).silence };
      }),
    event: {
      property: at("Button", "event"),
      values: Object.keys(WORDS),
      happen: (value) => lamp.say({ action: WORDS[String(value)] }),
    },
    floods: {
      reports: () => flood(10_000, (n) => lamp.say({ brightness: n % 255 })),
      garbage: () =>
        flood(1500, (n) => {
          if (n % 3 === 0) lamp.say("{");
          else if (n % 3 === 1) lamp.say('{"brightness":"bright"}');
          else broker.say(`${BASE}/bridge/devices`, "[1,");
        }),
      "long messages": () => flood(10, () => lamp.say("x".repeat(MEBIBYTE))),
    },
    repeat: () => lamp.tell(),
    rawValues: {
      cases: RAW.map(
        ([kind, property, before, raw, value]): RawCase => ({
          ...{ kind, property, before, raw, value },
          sendBefore: () => lamp.become(GOOD),
          send: () => lamp.becomeRaw(raw),
        }),
      ),
      cannot: {},
    },
    things: {
      ...{ device: STRIP, service: "Switch", property: "on", ids: ["left", "right", "center"] },
      have: (ids) => stripOf(ids.map(outlet)),
      commanded: () => (strip?.set ?? []).map((member) => member.replace("state_", "")),
    },
  };
  return world;
};

function outlet(endpoint: string) {
  const features = [{ ...state, property: `state_${endpoint}`, endpoint }];
  return { type: "switch", endpoint, features };
}
