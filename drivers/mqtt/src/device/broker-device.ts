/**
 * One device behind a broker: heard, and handed to the host.
 *
 * Invariants: each message that says a value reaches the host, also one that repeats it; what the broker had kept is never told as news,
 * since its age is not known.
 */
import {
  type Attempt,
  acceptedValue,
  allows,
  type DriverHost,
  type DriverResult,
  describedServices,
  identifyOnly,
  type LiveDevice,
  type SeenDevice,
  worthOf,
} from "@porchlight/driver-kit";
import type { Clock } from "@porchlight/shared/kernel";
import {
  addressKey,
  CATALOGUE,
  type PropertyAddress,
  type PropertyDescription,
  standardProperty,
  type Value,
  valuesEqual,
} from "@porchlight/shared/model";
import { DeviceCommands } from "./device-commands.ts";
import { HeardValues } from "./heard-values.ts";
import type { LastHeard, Message, MqttAvailability, MqttDevice, MqttProperty, Publication } from "./mqtt-device.ts";
import { type NotUnderstood, saysNoValue } from "./not-understood.ts";

export interface BrokerDeviceDeps {
  readonly clock: Clock;
  readonly host: Pick<DriverHost, "pushed" | "learned">;
  /** Settles when the broker has it. Rejects when the connection to the broker is gone. */
  readonly publish: (publication: Publication) => Promise<void>;
  /** A device has come. */
  readonly arrived: (device: BrokerDevice) => void;
  readonly counters: DeviceCounters;
  readonly notUnderstood: NotUnderstood;
}

/** What was left aside of what devices told. */
export interface DeviceCounters {
  /** Values that are not of the described type. */
  wrongType: number;
  /** Messages on a topic of values that say nothing of any, or of which a part is not understood. */
  notUnderstood: number;
  /** Events for which there was no room. */
  lostEvents: number;
  /** Messages that newer ones have replaced before they were looked at. */
  tooFast: number;
}

/** What a description makes of a device: of a thousand devices it takes too long for one turn of the loop. */
export interface MadeDevice {
  readonly device: MqttDevice;
  readonly properties: readonly MqttProperty[];
  readonly announced: LiveDevice;
  /** As in `BrokerDevice`. */
  readonly topics: ReadonlySet<string>;
}

/** @param transport how it is reached, for people */
export function madeDevice(device: MqttDevice, transport: string): MadeDevice {
  const { edgeId, about } = device;
  const properties = allProperties(device);
  const description = describedServices(properties);
  return {
    device,
    properties,
    announced: { edgeId, about, description, transport },
    topics: topicsOf(properties, device.availability),
  };
}

function topicsOf(properties: readonly MqttProperty[], availability: MqttAvailability): ReadonlySet<string> {
  const topics = new Set<string>();
  const addAll = (condition: MqttAvailability) => {
    for (const { topic } of condition.topics) topics.add(topic);
  };
  for (const { state } of properties) {
    if (!state) continue;
    topics.add(state.topic);
    for (const topic of state.also ?? []) topics.add(topic);
    for (const each of state.holds ?? []) addAll(each);
  }
  addAll(availability);
  return topics;
}

export class BrokerDevice implements SeenDevice {
  readonly #deps: BrokerDeviceDeps;
  readonly #commands: DeviceCommands;
  readonly #heard: HeardValues;
  /** Keys of the properties of which the host knows what the device itself has said since it arrived. */
  readonly #told = new Set<string>();
  readonly #known: LastHeard = (address) => this.#heard.of(addressKey(address));
  #device: MqttDevice;
  #properties: readonly MqttProperty[];
  #announced: LiveDevice;
  #topics: ReadonlySet<string>;
  #isLive = false;

  constructor({ device, properties, announced, topics }: MadeDevice, deps: BrokerDeviceDeps) {
    const { clock, publish } = deps;
    this.#deps = deps;
    this.#device = device;
    this.#properties = properties;
    this.#announced = announced;
    this.#topics = topics;
    this.#heard = new HeardValues({ clock, became: (...heard) => this.#became(...heard) });
    this.#commands = new DeviceCommands({
      ...{ clock, publish },
      device: () => this.#device,
      property: (key) => this.#properties.find(({ address }) => addressKey(address) === key),
      isLive: () => this.#isLive,
      heard: (key) => this.#heard.of(key),
      canBeSet: (property) => this.#heard.canBeSet(property),
      told: (key) => this.#told.add(key),
      believed: (property, value) => this.#heard.hear(property, value, false),
    });
    this.#heard.describe(properties, device.availability);
  }

  get edgeId(): string {
    return this.#device.edgeId;
  }

  /** As a dialect describes it. */
  get described(): MqttDevice {
    return this.#device;
  }

  /** Whether its topics say that it can be reached. */
  get isThere(): boolean {
    return this.#heard.isThere;
  }

  get isSensitive(): boolean {
    return this.#device.isSensitive;
  }

  /** Whether the host has taken it. */
  get isLive(): boolean {
    return this.#isLive;
  }

  /** As the host has it: another object each time when it is described anew. */
  get announced(): LiveDevice {
    return this.#announced;
  }

  /** Exact topics that say something of it. */
  get topics(): ReadonlySet<string> {
    return this.#topics;
  }

  /** Properties that can be asked for and were not told since it arrived; those of standard classes first. */
  get unread(): PropertyAddress[] {
    const unread = ({ address, ask, description }: MqttProperty) =>
      ask !== undefined && allows(description, "read") && !this.hasTold(address);
    const isStandard = ({ address }: MqttProperty) => CATALOGUE.has(address.service);
    const all = this.#properties.filter(unread);
    return [...all.filter(isStandard), ...all.filter((each) => !isStandard(each))].map(({ address }) => address);
  }

  /** Its dialect describes it anew. */
  describe({ device, properties, announced, topics }: MadeDevice): void {
    this.#device = device;
    this.#properties = properties;
    this.#announced = announced;
    this.#topics = topics;
    const gone = this.#heard.describe(this.#properties, device.availability);
    for (const key of gone) this.#told.delete(key);
    this.#commands.drop(gone);
  }

  /** The host has taken it: what the broker has kept of it is told. */
  arrive(): void {
    this.#isLive = true;
    this.#heard.tellAll();
    this.#deps.arrived(this);
  }

  /** It has gone, or nothing is heard of it any more: what was told is worth nothing when it comes back. */
  leave(): void {
    this.#isLive = false;
    this.#told.clear();
    this.#heard.clear();
    this.#commands.end();
  }

  /** The connection is gone: what the topics say of its availability must be heard again. */
  disconnect(): void {
    this.leave();
    this.#heard.forgetConditions();
  }

  take(message: Message): void {
    const { topic, payload, retained } = message;
    const changed = this.#heard.takeConditions(message);
    const isRemembered = this.#device.isRemembered?.(payload) ?? false;
    const ofTopic = this.#properties.filter(({ state }) => state?.topic === topic || state?.also?.includes(topic));
    let isUnderstood = false;
    let isWhole = true;
    for (const property of ofTopic) {
      const value = property.state?.read(payload, this.#known);
      if (value === undefined) continue;
      isUnderstood = true;
      if (isRemembered && !retained && this.#isRepeated(property, value)) continue;
      if (!this.#accept(property, value, message)) isWhole = false;
      this.#hear(property, acceptedValue(property.address, property.description, value), retained);
    }
    this.#heard.settle(changed);
    const [first] = ofTopic;
    if (first && !isUnderstood) this.#deps.notUnderstood.note(message, first);
    if (first && !(isUnderstood && isWhole)) this.#deps.counters.notUnderstood += 1;
  }

  /** Whether the host knows its value since it arrived. */
  hasTold(address: PropertyAddress): boolean {
    return this.#told.has(addressKey(address));
  }

  /** What was last heard of the property; undefined when nothing was. */
  lastHeard(address: PropertyAddress): Value | undefined {
    return this.#known(address);
  }

  read(address: PropertyAddress, attempt: Attempt): Promise<DriverResult> {
    return this.#commands.read(address, attempt);
  }

  write(address: PropertyAddress, value: Value, attempt: Attempt): Promise<DriverResult> {
    return this.#commands.write(address, value, attempt);
  }

  /** Whether a value that was read is one; what is not is counted or named. */
  #accept(property: MqttProperty, value: Value, message: Message): boolean {
    const { description, state } = property;
    // A target is told where its position is, which counts it.
    const isCounted = allows(description, "notify");
    if (worthOf(description, value) === "wrong_type") {
      if (isCounted) this.#deps.counters.wrongType += 1;
      this.#deps.notUnderstood.note(message, property, value);
      return true;
    }
    const raw = value === null ? state?.raw?.(message.payload) : undefined;
    if (saysNoValue(raw) || !isCounted) return true;
    this.#deps.notUnderstood.note(message, property, raw);
    return false;
  }

  /** Whether it is what was heard last. Callers that wait for it have it then. */
  #isRepeated({ address }: MqttProperty, value: Value): boolean {
    const known = this.#known(address);
    if (known === undefined || !valuesEqual(known, value)) return false;
    this.#commands.tell(addressKey(address), value);
    return true;
  }

  #hear(property: MqttProperty, value: Value, retained: boolean): void {
    if (isEvent(property)) {
      if (value !== null && !retained && this.#isLive) void this.#push(property, value);
    } else if (retained) this.#heard.hear(property, value, true);
    else this.#commands.weigh(property, value, () => this.#heard.hear(property, value, false));
  }

  #became(property: MqttProperty, value: Value, isRetained: boolean): void {
    if (isRetained) {
      this.#tellRetained(property, value);
      return;
    }
    const key = addressKey(property.address);
    // Whoever waited for it says what it is worth. What can only be written is told by nobody.
    const isAwaited = this.#commands.tell(key, value);
    if (isAwaited || !this.#isLive || !allows(property.description, "notify")) return;
    this.#told.add(key);
    void this.#push(property, value);
  }

  /** What the broker had kept is told as that, once the host has the device, while nothing newer was told. */
  #tellRetained({ address, description }: MqttProperty, value: Value): void {
    if (!this.#isLive || this.hasTold(address) || !allows(description, "read")) return;
    const retained = { device: this.edgeId, ...address, value, isRetained: true };
    // What cannot be stored is raised by the host as not known.
    this.#deps.host.learned(retained).catch(() => undefined);
  }

  async #push(property: MqttProperty, value: Value): Promise<void> {
    const result = await this.#deps.host.pushed({ device: this.edgeId, ...property.address, value });
    if (result === "busy" && isEvent(property)) this.#deps.counters.lostEvents += 1;
  }
}

/** It only happens. */
function isEvent({ description }: MqttProperty): boolean {
  return !allows(description, "read") && allows(description, "notify");
}

// All that a device behind a broker can be asked and told.

/** Its properties, and `Identify` where it can show itself. */
function allProperties({ properties, identify }: MqttDevice): readonly MqttProperty[] {
  const all = withTargets(properties);
  return identify ? [...all, ...identifyOnly().map((each) => ({ ...each, set: () => identify }))] : all;
}

// Covers move slowly: what is set is a target, and the position is what is so now. Programs on a broker have one word for both.

/** With a target for each cover's position that can be set, where its dialect has made none; a position cannot be set beside one. */
export function withTargets(properties: readonly MqttProperty[]): readonly MqttProperty[] {
  const keys = new Set(properties.map(({ address }) => addressKey(address)));
  return properties.flatMap((property) => {
    const { address, set, state } = property;
    if (address.service !== "Cover" || address.property !== "position" || !set) return [property];
    const target = { ...address, property: "target" };
    const made = keys.has(addressKey(target)) ? [] : targetOf(property, target);
    return state ? [toldOnly(property), ...made] : made;
  });
}

function toldOnly(position: MqttProperty): MqttProperty {
  const access = position.description.access.filter((each) => each !== "write");
  return { ...position, set: undefined, description: { ...position.description, access } };
}

/** It can only be written: nothing tells a target that somebody else has set. */
function targetOf(position: MqttProperty, address: PropertyAddress): MqttProperty[] {
  const standard = standardProperty(address.service, address.property);
  if (!standard) return [];
  const { min, max, step, values } = position.description;
  const description: PropertyDescription = { ...standard, ...said({ min, max, step, values }), access: ["write"] };
  return [{ ...position, address, description, isGoal: position.state !== undefined }];
}

function said(limits: Partial<PropertyDescription>): Partial<PropertyDescription> {
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined));
}
