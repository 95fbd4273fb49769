/** The world of Tasmota for the judge: devices that describe themselves on a broker in memory. */
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
import { BROKER_EXCUSES, flood, worldBehind } from "../broker-world.fixture.ts";
import { KeptThings } from "../device/kept-things.ts";
import { MqttDriver } from "../mqtt-driver.ts";
import { SOCKET } from "./described-device.fixture.ts";
import { tasmotaDialect } from "./tasmota-dialect.ts";

const MEBIBYTE = 1024 * 1024;
const LAMP = "DC-4F-22-00-00-01";
const STRIP = "DC-4F-22-00-00-02";
const PRESSES: Readonly<Record<string, string>> = { press: "SINGLE", double: "DOUBLE", long: "HOLD" };

/** What a Tasmota device is not judged on. */
export const TASMOTA_EXCUSES = {
  ...BROKER_EXCUSES,
  identify: "Tasmota has no command by which every device shows itself",
} as const;

const at = (service: string, property: string): PropertyAddress => ({ service, index: "0", property });
const ON = at("Switch", "on");

const SENSORS = { A: { Temperature: 20.5, Humidity: 40, Battery: 90 }, ENERGY: { Power: [1, 2] }, TempUnit: "C" };
const STATES = { POWER: "OFF", Dimmer: 50, HSBColor: "120,90,50", CT: 250 };

/** Property, its value in a good message, where the case comes, the case, and what it means. */
const RAW: readonly (readonly [RawKind, PropertyAddress, Value, topic: "STATE" | "SENSOR", raw: string, Value])[] = [
  ["no value", ON, true, "STATE", '{"POWER":null}', null],
  ["no value", at("Temperature", "celsius"), 20.5, "SENSOR", '{"A":{"Temperature":null},"TempUnit":"C"}', null],
  ["member left out", at("LightLevel", "level"), 50, "STATE", '{"POWER":"OFF"}', 50],
  [
    "word for no value",
    at("Temperature", "celsius"),
    20.5,
    "SENSOR",
    '{"A":{"Temperature":"none"},"TempUnit":"C"}',
    null,
  ],
  ["word for no value", ON, true, "STATE", '{"POWER":"unknown"}', null],
  [
    "not a number",
    at("Temperature", "celsius"),
    20.5,
    "SENSOR",
    '{"A":{"Temperature":nan,"Humidity":41},"TempUnit":"C"}',
    null,
  ],
  [
    "not a number",
    at("Humidity", "percent"),
    40,
    "SENSOR",
    '{"A":{"Temperature":nan,"Humidity":41},"TempUnit":"C"}',
    41,
  ],
  ["number as text", at("Electricity", "watts"), 1, "SENSOR", '{"ENERGY":{"Power":["7","8"]}}', 7],
  ["number as text", at("LightLevel", "level"), 50, "STATE", '{"Dimmer":"20"}', 20],
  ["protocol marker", at("LightTemperature", "kelvin"), 4000, "STATE", '{"CT":65535}', null],
  ["protocol marker", at("LightTemperature", "kelvin"), 4000, "STATE", '{"CT":0}', null],
  ["protocol marker", at("Battery", "percent"), 90, "SENSOR", '{"A":{"Battery":255}}', null],
  ["excess of rounding", at("Battery", "percent"), 90, "SENSOR", '{"A":{"Battery":100.3}}', 100],
  ["share out of range", at("LightLevel", "level"), 50, "STATE", '{"Dimmer":130}', null],
  ["share out of range", at("LightColor", "hue"), 120, "STATE", '{"HSBColor":"400,90,50"}', null],
  ["measured out of range", at("Humidity", "percent"), 40, "SENSOR", '{"A":{"Humidity":104}}', 104],
  ["unlisted word", ON, true, "STATE", '{"POWER":"TOGGLE"}', null],
];

/** A device with Tasmota, on its topics. */
class TasmotaDevice {
  isSilent = false;
  delayMs = 0;
  samplesEarly = false;
  /** Commands that switch a relay, in order. */
  readonly commanded: string[] = [];
  states: Record<string, unknown>;
  /** What it says instead of its states, until they change. */
  raw: string | undefined;
  readonly #broker: MemoryBroker;
  readonly #clock: Clock;
  readonly #mac: string;
  #config: object;

  constructor(broker: MemoryBroker, clock: Clock, edgeId: string, config: object, states: object) {
    this.states = { ...states };
    this.#broker = broker;
    this.#clock = clock;
    this.#mac = edgeId.replaceAll("-", "");
    this.#config = config;
    broker.say(`tele/${this.#mac}/LWT`, "Online", true);
    this.describe(config);
    for (const number of [1, 2, 3]) broker.on(`cmnd/${this.#mac}/POWER${number}`, (word) => this.#switch(number, word));
    broker.on(`cmnd/${this.#mac}/STATE`, () => {
      const then = this.samplesEarly ? { ...this.states } : undefined;
      this.#act(() => this.tell("RESULT", then));
    });
  }

  describe(config: object): void {
    this.#config = { ...this.#config, ...config };
    const described = { ...SOCKET, mac: this.#mac, t: this.#mac, ...this.#config };
    this.#broker.say(`tasmota/discovery/${this.#mac}/config`, described, true);
  }

  sense(sensors: object): void {
    this.#broker.say(`tasmota/discovery/${this.#mac}/sensors`, { sn: sensors, ver: 1 }, true);
  }

  get touched(): number {
    return this.commanded.length;
  }

  change(word: string): void {
    this.raw = undefined;
    this.states.POWER = word;
    this.tell("RESULT", { POWER: word });
  }

  /** It is something else, and says so in its own way. */
  become(states: object, raw?: string): void {
    this.states = { ...this.states, ...states };
    this.raw = raw;
    this.tell("STATE");
  }

  tell(what: "RESULT" | "STATE", states: object | string = this.raw ?? this.states): void {
    if (!this.isSilent) this.say(what, states);
  }

  /** @param what `RESULT` answers and reports changes; the others are sent from time to time */
  say(what: "RESULT" | "STATE" | "SENSOR", payload: unknown): void {
    this.#broker.say(`${what === "RESULT" ? "stat" : "tele"}/${this.#mac}/${what}`, payload);
  }

  /** The only relay is not numbered in the device's messages. */
  #switch(number: number, word: string): void {
    this.commanded.push(String(number));
    this.#act(() => {
      const member = "POWER" in this.states ? "POWER" : `POWER${number}`;
      this.raw = undefined;
      this.states[member] = word;
      this.tell("RESULT", { [member]: word });
    });
  }

  #act(does: () => void): void {
    if (this.isSilent) return;
    if (this.delayMs === 0) does();
    else this.#clock.timer("a slow Tasmota device acts", this.delayMs, does);
  }
}

export const tasmotaWorld: OpenWorld = ({ clock, fakeClock, random, log }) => {
  const broker = new MemoryBroker();
  const store = memoryStore();
  const lamp = new TasmotaDevice(broker, fakeClock, LAMP, { rl: [2], lt_st: 5, btn: [1], so: { "73": 1 } }, STATES);
  lamp.sense(SENSORS);
  // Sensors cannot be asked: they tell their values from time to time.
  const sensing = () => {
    if (broker.connections > 0) lamp.say("SENSOR", SENSORS);
    fakeClock.timer("Tasmota's sensors", 20_000, sensing);
  };
  fakeClock.timer("Tasmota's sensors", 500, sensing);
  let strip: TasmotaDevice | undefined;
  const world: DriverWorld = {
    make: (host) => {
      const kept = new KeptThings(store);
      return MqttDriver.start({
        ...{ on: "memory", admit: { all: true, edgeIds: new Set() }, dialects: [tasmotaDialect(kept)] },
        ...{ open: broker.open, clock, random, log, host, kept },
      });
    },
    device: LAMP,
    property: ON,
    touched: () => lamp.touched,
    actual: () => lamp.states.POWER === "ON",
    ...worldBehind(broker, lamp),
    change: (value) => lamp.change(value === true ? "ON" : "OFF"),
    leftAside: ["wrongType", "notUnderstood", "tooLarge", "tooFast", "badConfig", "badMessage"],
    crowd: (count) =>
      Array.from({ length: count }, (_, place): CrowdDevice => {
        const edgeId = `DC-4F-22-00-01-${place.toString(16).padStart(2, "0").toUpperCase()}`;
        const device = new TasmotaDevice(broker, fakeClock, edgeId, { rl: [1] }, { POWER: "OFF" });
        return { edgeId, property: ON, silence: worldBehind(broker, device).silence };
      }),
    event: {
      property: { service: "Button", index: "1", property: "event" },
      values: Object.keys(PRESSES),
      happen: (value) => lamp.say("RESULT", { Button1: { Action: PRESSES[String(value)] } }),
    },
    floods: {
      reports: () => flood(10_000, (n) => lamp.say("RESULT", { Dimmer: n % 101 })),
      garbage: () =>
        flood(1500, (n) => {
          if (n % 3 === 0) lamp.say("RESULT", "{");
          else if (n % 3 === 1) lamp.say("STATE", '{"Dimmer":"bright"}');
          else broker.say(`tasmota/discovery/garbage${n}/config`, "[1,");
        }),
      "long messages": () => flood(10, () => lamp.say("SENSOR", "x".repeat(MEBIBYTE))),
    },
    repeat: () => lamp.tell("STATE"),
    rawValues: {
      cases: RAW.map(
        ([kind, property, before, topic, raw, value]): RawCase => ({
          ...{ kind, property, before, raw, value },
          sendBefore: () => {
            lamp.become({ ...STATES, POWER: "ON" });
            lamp.say("SENSOR", SENSORS);
          },
          send: () => (topic === "STATE" ? lamp.become({}, raw) : lamp.say(topic, raw)),
        }),
      ),
      cannot: {},
    },
    things: {
      ...{ device: STRIP, service: "Switch", property: "on", ids: ["1", "2", "3"] },
      have: (ids) => {
        const rl = [1, 2, 3].map((number) => (ids.includes(String(number)) ? 1 : 0));
        strip ??= new TasmotaDevice(broker, fakeClock, STRIP, { rl }, {});
        strip.describe({ rl });
      },
      commanded: () => strip?.commanded ?? [],
    },
  };
  return world;
};
