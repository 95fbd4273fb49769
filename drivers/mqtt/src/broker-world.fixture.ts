/** The world of a broker's driver for the judge: a broker in memory, and plugs behind it in the plain dialect. */
import type {
  ComingThings,
  CrowdDevice,
  DriverWorld,
  OpenWorld,
  RawCase,
} from "@porchlight/driver-kit/judge/world.suite.ts";
import { memoryStore } from "@porchlight/driver-kit/kept/memory-store.fixture.ts";
import type { Clock } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";
import { MemoryBroker } from "./broker/memory-broker.fixture.ts";
import { KeptThings } from "./device/kept-things.ts";
import { MqttDriver } from "./mqtt-driver.ts";
import { LEVEL, LUX, ON, type PlainConfig, PRESS, plainDialect } from "./plain-dialect.fixture.ts";

const PLUG = "00-15-8D-00-00-00-00-01";
const BOARD = "00-15-8D-00-00-00-02-01";
const BATTERY = { service: "Battery", index: "0", property: "percent" };
/** What is sent on each topic, and what it is. */
const RAW: readonly (readonly [
  RawCase["kind"],
  topic: "on" | "level" | "lux" | "battery",
  string,
  RawCase["value"],
])[] = [
  ["no value", "level", "null", null],
  ["no value", "on", "null", null],
  ["member left out", "level", "", 40],
  ["word for no value", "on", '"unknown"', null],
  ["word for no value", "lux", '"unavailable"', null],
  ["not a number", "lux", "NaN", null],
  ["not a number", "level", "Infinity", null],
  ["number as text", "level", '"20"', 20],
  ["number as text", "on", "0", false],
  ["protocol marker", "battery", "255", null],
  ["excess of rounding", "level", "100.4", 100],
  ["share out of range", "level", "-20", null],
  ["share out of range", "battery", "130", null],
  ["measured out of range", "lux", "-3", -3],
  ["unlisted word", "on", '"half"', null],
  ["unlisted word", "level", '"bright"', null],
];
const RAW_PROPERTIES = { on: ON, level: LEVEL, lux: LUX, battery: BATTERY };
const GOOD = { on: true, level: 40, lux: 12, battery: 80 };
const MEBIBYTE = 1024 * 1024;

/** The program behind the broker that speaks for one plug, and the plug. */
class PlugOfBridge {
  isSilent = false;
  samplesEarly = false;
  delayMs = 0;
  touched = 0;
  readonly values: Record<string, Value> = { on: false, level: 40, lux: 12, battery: 80 };
  /** What it says instead of the JSON of a value. */
  readonly raw: Record<string, string> = {};
  readonly #broker: MemoryBroker;
  readonly #clock: Clock;
  readonly #topic: string;

  constructor(broker: MemoryBroker, clock: Clock, config: PlainConfig, edgeId: string) {
    this.#broker = broker;
    this.#clock = clock;
    this.#topic = `plain/${edgeId}`;
    broker.say(`${this.#topic}/config`, config, true);
    for (const what of ["on", "level", "lux", "battery"])
      broker.on(`${this.#topic}/${what}/get`, () => {
        const sample = this.values[what];
        this.#act(() => (this.samplesEarly ? this.say(what, sample) : this.tell(what)));
      });
    broker.on(`${this.#topic}/on/set`, (payload) => {
      this.touched += 1;
      if (config.echoes) broker.say(`${this.#topic}/on`, JSON.parse(payload));
      this.#act(() => {
        this.values.on = JSON.parse(payload);
        if (!config.echoes) this.tell("on");
      });
    });
  }

  change(value: Value): void {
    this.values.on = value;
    this.tell("on");
  }

  becomeRaw(what: string, text: string): void {
    this.raw[what] = text;
    this.tell(what);
  }

  /** Says it in its own name. */
  say(what: string, payload: unknown): void {
    this.#broker.say(`${this.#topic}/${what}`, payload);
  }

  tell(what: string): void {
    if (!this.isSilent) this.say(what, this.raw[what] ?? JSON.stringify(this.values[what]));
  }

  #act(does: () => void): void {
    if (this.isSilent) return;
    if (this.delayMs === 0) does();
    else this.#clock.timer("a slow plug acts", this.delayMs, does);
  }
}

/** What the driver of a broker is not judged on. */
export const BROKER_EXCUSES = {
  refusals: "no dialect has an answer that says that the device refuses",
  secrets: "what opens a connection holds the password, and the driver is handed that only",
} as const;

/** @param echoes whether the bridge repeats what was set before its plug has done it */
export function brokerWorld({ echoes }: { readonly echoes: boolean }): OpenWorld {
  return ({ clock, fakeClock, random, log }) => {
    const broker = new MemoryBroker();
    const store = memoryStore();
    const has = ["level", "event", "lux", "battery"] as const;
    const plug = new PlugOfBridge(broker, fakeClock, { has, identify: true, asksAll: true, echoes }, PLUG);
    const world: DriverWorld = {
      make: (host) => {
        const kept = new KeptThings(store);
        return MqttDriver.start({
          ...{ on: "memory", admit: { all: true, edgeIds: new Set() }, dialects: [plainDialect("plain", kept)] },
          ...{ open: broker.open, clock, random, log, host, kept },
        });
      },
      device: PLUG,
      property: ON,
      touched: () => plug.touched,
      actual: () => plug.values.on ?? null,
      ...worldBehind(broker, plug),
      change: (value) => plug.change(value),
      repeat: () => plug.tell("on"),
      things: board(broker),
      rawValues: {
        cases: RAW.map(([kind, topic, raw, value]) => ({
          ...{ kind, raw: `${topic}: ${raw}`, property: RAW_PROPERTIES[topic], before: GOOD[topic], value },
          sendBefore: () => plug.becomeRaw(topic, JSON.stringify(GOOD[topic])),
          send: () => plug.becomeRaw(topic, raw),
        })),
        cannot: {},
      },
      leftAside: ["wrongType", "notUnderstood", "tooLarge", "tooFast", "badConfig"],
      crowd: (count) => Array.from({ length: count }, (_, at) => another(broker, fakeClock, at)),
      event: {
        property: PRESS,
        values: ["press", "release", "double", "long"],
        happen: (value) => plug.say("event", JSON.stringify(value)),
      },
      floods: {
        reports: () => flood(10_000, (at) => plug.say("level", at % 101)),
        garbage: () => flood(1500, (at) => sayGarbage(broker, plug, at)),
        "long messages": () => flood(10, (at) => plug.say(at % 2 === 0 ? "on" : "event", "x".repeat(MEBIBYTE))),
      },
    };
    return world;
  };
}

/** A board of relays, which are more or fewer after each update of its firmware. */
function board(broker: MemoryBroker): ComingThings {
  const ids = ["heater", "pump", "aux"] as const;
  const commanded: string[] = [];
  for (const id of ids) {
    broker.on(`plain/${BOARD}/${id}/on/set`, (payload) => {
      commanded.push(id);
      broker.say(`plain/${BOARD}/${id}/on`, payload);
    });
  }
  return {
    ...{ device: BOARD, service: ON.service, property: ON.property, ids },
    have: (relays) => broker.say(`plain/${BOARD}/config`, { relays }, true),
    commanded: () => commanded,
  };
}

/** A device of a fixture that can be silent and slow. */
interface FixtureDevice {
  isSilent: boolean;
  delayMs: number;
  samplesEarly: boolean;
}

/** What the world of every dialect does with the broker and with the device that is judged. */
export function worldBehind(broker: MemoryBroker, device: FixtureDevice) {
  return {
    silence: () => {
      device.isSilent = true;
    },
    speak: () => {
      device.isSilent = false;
    },
    slow: (ms: number) => {
      device.delayMs = ms;
    },
    sampleEarly: () => {
      device.samplesEarly = true;
    },
    cut: () => broker.cut(),
    mend: () => broker.mend(),
    tries: () => broker.tries,
    held: () => broker.connections + broker.filters.length,
  };
}

/** Publishes many messages. @returns how many */
export function flood(many: number, say: (at: number) => void): number {
  for (let at = 0; at < many; at++) say(at);
  return many;
}

/** What is no JSON, what is of another type, and what describes no device. */
function sayGarbage(broker: MemoryBroker, plug: PlugOfBridge, at: number): void {
  if (at % 3 === 0) plug.say("on", "{");
  else if (at % 3 === 1) plug.say("level", '"bright"');
  else broker.say(`plain/garbage-${at}/config`, "[1,");
}

function another(broker: MemoryBroker, clock: Clock, at: number): CrowdDevice {
  const edgeId = `00-15-8D-00-00-00-01-${at.toString(16).padStart(2, "0").toUpperCase()}`;
  const plug = new PlugOfBridge(broker, clock, {}, edgeId);
  return { edgeId, property: ON, silence: worldBehind(broker, plug).silence };
}
