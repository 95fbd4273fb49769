/** The world of a broker's driver for the judge: a broker in memory, and plugs behind it in the plain dialect. */
import type { Clock } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";
import { MemoryBroker } from "../../mqtt-broker/memory-broker.fixture.ts";
import type { CrowdDevice, DriverWorld, OpenWorld } from "../kit/judge/world.suite.ts";
import { MqttDriver } from "./mqtt-driver.ts";
import { ON, type PlainConfig, PRESS, plainDialect } from "./plain-dialect.fixture.ts";

const PLUG = "00-15-8D-00-00-00-00-01";
const MEBIBYTE = 1024 * 1024;

/** The program behind the broker that speaks for one plug, and the plug. */
class PlugOfBridge {
  isSilent = false;
  delayMs = 0;
  touched = 0;
  readonly values: Record<string, Value> = { on: false, level: 40 };
  readonly #broker: MemoryBroker;
  readonly #clock: Clock;
  readonly #topic: string;

  constructor(broker: MemoryBroker, clock: Clock, config: PlainConfig, edgeId: string) {
    this.#broker = broker;
    this.#clock = clock;
    this.#topic = `plain/${edgeId}`;
    broker.say(`${this.#topic}/config`, config, true);
    for (const what of ["on", "level"])
      broker.on(`${this.#topic}/${what}/get`, () => this.#act(() => this.#tell(what)));
    broker.on(`${this.#topic}/on/set`, (payload) => {
      this.touched += 1;
      if (config.echoes) broker.say(`${this.#topic}/on`, JSON.parse(payload));
      this.#act(() => {
        this.values.on = JSON.parse(payload);
        if (!config.echoes) this.#tell("on");
      });
    });
  }

  change(value: Value): void {
    this.values.on = value;
    this.#tell("on");
  }

  /** Says it in its own name. */
  say(what: string, payload: unknown): void {
    this.#broker.say(`${this.#topic}/${what}`, payload);
  }

  #tell(what: string): void {
    if (!this.isSilent) this.say(what, this.values[what]);
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
    const plug = new PlugOfBridge(broker, fakeClock, { has: ["level", "event"], identify: true, echoes }, PLUG);
    const world: DriverWorld = {
      make: (host) =>
        MqttDriver.start({
          ...{ on: "memory", admit: { all: true, edgeIds: new Set() }, dialects: [plainDialect()] },
          ...{ open: broker.open, clock, random, log, host },
        }),
      device: PLUG,
      property: ON,
      touched: () => plug.touched,
      actual: () => plug.values.on ?? null,
      silence: () => {
        plug.isSilent = true;
      },
      speak: () => {
        plug.isSilent = false;
      },
      slow: (ms) => {
        plug.delayMs = ms;
      },
      cut: () => broker.cut(),
      mend: () => broker.mend(),
      change: (value) => plug.change(value),
      tries: () => broker.tries,
      held: () => broker.connections + broker.filters.length,
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

function flood(many: number, say: (at: number) => void): number {
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
  const silence = () => {
    plug.isSilent = true;
  };
  return { edgeId, property: ON, silence };
}
