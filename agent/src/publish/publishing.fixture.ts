/** A hub that publishes its devices on a broker: its state on a real file, scripted devices, and a broker in memory, on one virtual clock. */
import { MemoryBroker } from "@porchlight/driver-mqtt/broker/memory-broker.fixture.ts";
import { seededRandom, settle, silentLog } from "@porchlight/shared/kernel";
import { Commands } from "../commands/commands.ts";
import { DeviceAvailability } from "../commands/device-availability.ts";
import { NO_DOUBTS } from "../commands/no-doubts.fixture.ts";
import { ScriptedDriver } from "../commands/scripted-driver.fixture.ts";
import type { ArrivingDevice, State } from "../state/index.ts";
import { Disk, LAMP } from "../state/state.fixture.ts";
import { Publisher } from "./publisher.ts";
import { description } from "./read-back.fixture.ts";
import { hubAvailabilityTopic } from "./topics.ts";

export const HUB = "02-00-00-00-00-01";
export const LAMP_BASE = `porchlight/${HUB}/${LAMP}`;
export const LAMP_CONFIG = "homeassistant/light/porchlight_001b44113ab7/light_0/config";

/** Longest that the first telling on a connection takes, ms. */
const TELLING_MS = 2500;

/** A lamp with a colour, a button and a reading. */
export function lamp(edgeId = LAMP, change: Partial<ArrivingDevice> = {}): ArrivingDevice {
  return {
    edgeId,
    description: description(
      ["Switch.on", "boolean", "rwn"],
      ["LightLevel.level", "number", "rwn", { min: 0, max: 100 }],
      ["LightColor.hue", "number", "rwn", { min: 0, max: 360 }],
      ["LightColor.saturation", "number", "rwn", { min: 0, max: 100 }],
      ["Button.event", "string", "n", { values: ["press", "long"] }],
      ["Temperature.celsius", "number", "rn", { unit: "°C" }],
    ),
    about: { name: "Hall lamp" },
    transport: "serial /dev/ttyUSB0",
    ...change,
  };
}

export class PublishingHub implements AsyncDisposable {
  readonly disk = new Disk();
  readonly broker: MemoryBroker;
  readonly driver = new ScriptedDriver();
  readonly state: State;
  /** What was logged as a warning. */
  readonly warnings: unknown[] = [];
  isSuperseded = false;
  publisher: Publisher | undefined;
  #seq = 0;

  constructor(broker = new MemoryBroker()) {
    this.broker = broker;
    this.state = this.disk.open();
  }

  /** A hub with a lamp, which is published on the broker. */
  static async make(broker?: MemoryBroker): Promise<PublishingHub> {
    const hub = new PublishingHub(broker);
    await hub.arrive(lamp());
    hub.start();
    await hub.pass(TELLING_MS);
    return hub;
  }

  start(): void {
    const { state, driver } = this;
    const will = { topic: hubAvailabilityTopic(HUB), payload: "offline", retain: true };
    const driverOf = (edgeId: string) => (driver.has(edgeId) ? driver : undefined);
    const log = { ...silentLog, warn: (fields: object, message: string) => this.warnings.push([message, fields]) };
    this.publisher = Publisher.start({
      ...{ random: seededRandom(3), log, state, edgeId: HUB, broker: "memory", prefix: "homeassistant" },
      commands: new Commands({
        ...{ clock: state.time, log: silentLog, state, driverOf, doubts: NO_DOUBTS },
        availability: new DeviceAvailability(state.time, [], 0),
      }),
      mayTouch: () => !this.isSuperseded,
      open: this.broker.openWith(will),
    });
  }

  /** Ends what publishes, in order. */
  async stop(): Promise<void> {
    const ending = this.publisher?.[Symbol.asyncDispose]();
    await this.disk.clock.until(ending ?? Promise.resolve());
    this.publisher = undefined;
  }

  /** Lets time pass. */
  async pass(ms: number): Promise<void> {
    await this.disk.clock.advance(ms);
    await settle();
  }

  async arrive(device: ArrivingDevice): Promise<void> {
    this.driver.live.add(device.edgeId);
    await this.disk.done(this.state.arrive(device));
    await settle();
  }

  async leave(edgeId = LAMP): Promise<void> {
    this.driver.live.delete(edgeId);
    await this.disk.done(this.state.leave(edgeId));
    await settle();
  }

  /** The device reports a value, `SERVICE.PROPERTY`. */
  async report(selector: string, value: string | number | boolean | null, device = LAMP): Promise<void> {
    const [service = "", property = ""] = selector.split(".");
    const name = { node: device, boot: 1, seq: this.#seq++ };
    await this.disk.done(this.state.report({ device, service, index: "0", property, value }, name));
    await settle();
  }

  /** Sets a property by a message. @param topic without the lamp's base */
  async set(topic: string, payload: string): Promise<void> {
    this.broker.say(`${LAMP_BASE}/${topic}/set`, payload);
    await this.pass(100);
  }

  /** What the cloud calls the devices. */
  async name(aliases: Readonly<Record<string, string>>): Promise<void> {
    const names = Object.entries(aliases).map(([edgeId, alias], at) => ({ edgeId, alias, id: `dev_${at}` }));
    const place = { ecosystemId: "eco_1", environmentId: "env_1", clientId: "cli_1" };
    const version = ++this.#seq;
    const devices = names.map(({ edgeId, id }) => ({ edgeId, id, version }));
    await this.disk.done(this.state.home.takeNames({ digest: `d${version}`, ...place, devices }));
    for (const { edgeId, alias, id } of names)
      await this.disk.done(this.state.home.takeName({ edgeId, id, alias, version, meta: "{}", createdAt: 0 }));
    await settle();
  }

  /** What is kept on a topic of the lamp. */
  kept(topic: string): string | undefined {
    return this.broker.kept.get(`${LAMP_BASE}/${topic}`);
  }

  /** Topics and payloads that were published since this was last asked. */
  published(): (readonly [string, string])[] {
    return this.broker.published.splice(0).map(({ topic, payload }) => [topic.replace(`${LAMP_BASE}/`, ""), payload]);
  }

  get counters(): Record<string, number> {
    return Object.fromEntries(Object.entries(this.publisher?.status().counters ?? {}).filter(([, count]) => count > 0));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    this.disk[Symbol.dispose]();
  }
}
