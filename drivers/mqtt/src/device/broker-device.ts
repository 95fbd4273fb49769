/**
 * One device behind a broker: reads its messages and reports to the host.
 *
 * Invariants: each message with a value reaches the host, also one that repeats the value; a retained message is never reported as a new
 * value, since its age is not known.
 */
import {
  type Attempt,
  acceptedValue,
  allows,
  type DriverHost,
  type DriverResult,
  describedServices,
  identifyOnly,
  isNoValue,
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

export interface BrokerDeviceDeps {
  readonly clock: Clock;
  readonly host: Pick<DriverHost, "pushed" | "learned">;
  /** Settles when the broker has the message. Rejects when the connection to the broker is lost. */
  readonly publish: (publication: Publication) => Promise<void>;
  /** A device has arrived. */
  readonly arrived: (device: BrokerDevice) => void;
  readonly counters: DeviceCounters;
  readonly notUnderstood: NotUnderstood;
}

/** Numbers of devices' values and messages that were ignored. */
interface DeviceCounters {
  /** Values that are not of the described type. */
  wrongType: number;
  /** Messages on a topic of values that contain no value, or of which a part is not understood. */
  notUnderstood: number;
  /** Events that were dropped for lack of room. */
  lostEvents: number;
  /** Messages that newer ones replaced before they were read. */
  tooFast: number;
}

/** The parts of a device that its description determines: for a thousand devices this takes too long for one turn of the loop. */
interface MadeDevice {
  readonly device: MqttDevice;
  readonly properties: readonly MqttProperty[];
  readonly announced: LiveDevice;
  /** See `BrokerDevice`. */
  readonly topics: ReadonlySet<string>;
}

/** @param transport the path to the device, for people */
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
  /** Keys of the properties for which the host has a value that the device itself sent since it arrived. */
  readonly #reported = new Set<string>();
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
      reported: (key) => this.#reported.add(key),
      believed: (property, value) => this.#heard.hear(property, value, false),
    });
    this.#heard.describe(properties, device.availability);
  }

  get edgeId(): string {
    return this.#device.edgeId;
  }

  /** The dialect's description. */
  get described(): MqttDevice {
    return this.#device;
  }

  /** Whether its availability topics report that it is reachable. */
  get isThere(): boolean {
    return this.#heard.isThere;
  }

  get isSensitive(): boolean {
    return this.#device.isSensitive;
  }

  /** Whether the host has accepted it. */
  get isLive(): boolean {
    return this.#isLive;
  }

  /** As announced to the host: a new object whenever the description changes. */
  get announced(): LiveDevice {
    return this.#announced;
  }

  /** Exact topics that concern the device. */
  get topics(): ReadonlySet<string> {
    return this.#topics;
  }

  /** Properties that can be read and were not reported since the device arrived; those of standard classes first. */
  get unread(): PropertyAddress[] {
    const unread = ({ address, ask, description }: MqttProperty) =>
      ask !== undefined && allows(description, "read") && !this.hasReported(address);
    const isStandard = ({ address }: MqttProperty) => CATALOGUE.has(address.service);
    const all = this.#properties.filter(unread);
    return [...all.filter(isStandard), ...all.filter((each) => !isStandard(each))].map(({ address }) => address);
  }

  /** The dialect's description has changed. */
  describe({ device, properties, announced, topics }: MadeDevice): void {
    this.#device = device;
    this.#properties = properties;
    this.#announced = announced;
    this.#topics = topics;
    const gone = this.#heard.describe(this.#properties, device.availability);
    for (const key of gone) this.#reported.delete(key);
    this.#commands.drop(gone);
  }

  /** The host has accepted the device: its retained values are reported. */
  arrive(): void {
    this.#isLive = true;
    this.#heard.tellAll();
    this.#deps.arrived(this);
  }

  /** The device has left, or its messages no longer arrive: all its values are discarded. */
  leave(): void {
    this.#isLive = false;
    this.#reported.clear();
    this.#heard.clear();
    this.#commands.end();
  }

  /** The connection is lost: the device's availability must be received again. */
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

  /** Whether the host has had a value of the property since the device arrived. */
  hasReported(address: PropertyAddress): boolean {
    return this.#reported.has(addressKey(address));
  }

  /** The last received value of the property; undefined when there was none. */
  lastHeard(address: PropertyAddress): Value | undefined {
    return this.#known(address);
  }

  read(address: PropertyAddress, attempt: Attempt): Promise<DriverResult> {
    return this.#commands.read(address, attempt);
  }

  write(address: PropertyAddress, value: Value, attempt: Attempt): Promise<DriverResult> {
    return this.#commands.write(address, value, attempt);
  }

  /** Whether a value fits the property's description; a value that does not is counted or logged. */
  #accept(property: MqttProperty, value: Value, message: Message): boolean {
    const { description, state } = property;
    // A target shares the messages of its position, where they are counted.
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

  /** Whether the value repeats the last one. If it does, callers that wait for it receive it. */
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
    // A caller that waits for the value decides what it means. A write-only property is never reported.
    const isAwaited = this.#commands.tell(key, value);
    if (isAwaited || !this.#isLive || !allows(property.description, "notify")) return;
    this.#reported.add(key);
    void this.#push(property, value);
  }

  /** Reports a retained value as such, once the host has accepted the device and while there is no newer value. */
  #tellRetained({ address, description }: MqttProperty, value: Value): void {
    if (!this.#isLive || this.hasReported(address) || !allows(description, "read")) return;
    const retained = { device: this.edgeId, ...address, value, isRetained: true };
    // The host marks a value that could not be stored as unknown.
    this.#deps.host.learned(retained).catch(() => undefined);
  }

  async #push(property: MqttProperty, value: Value): Promise<void> {
    const result = await this.#deps.host.pushed({ device: this.edgeId, ...property.address, value });
    if (result === "busy" && isEvent(property)) this.#deps.counters.lostEvents += 1;
  }
}

/** Whether the property has events only, and no state. */
function isEvent({ description }: MqttProperty): boolean {
  return !allows(description, "read") && allows(description, "notify");
}

/** All properties that can be read or written, and `Identify` where the device can identify itself. */
function allProperties({ properties, identify }: MqttDevice): readonly MqttProperty[] {
  const all = withTargets(properties);
  return identify ? [...all, ...identifyOnly().map((each) => ({ ...each, set: () => identify }))] : all;
}

/**
 * Adds a target to each cover position that can be set, unless its dialect has one; the position then becomes read-only. Covers move
 * slowly: the target is the value that was set, and the position the current one. Programs on a broker use one word for both.
 */
export function withTargets(properties: readonly MqttProperty[]): readonly MqttProperty[] {
  const keys = new Set(properties.map(({ address }) => addressKey(address)));
  return properties.flatMap((property) => {
    const { address, set, state } = property;
    if (address.service !== "Cover" || address.property !== "position" || !set) return [property];
    const target = { ...address, property: "target" };
    const made = keys.has(addressKey(target)) ? [] : targetOf(property, target);
    return state ? [reportedOnly(property), ...made] : made;
  });
}

function reportedOnly(position: MqttProperty): MqttProperty {
  const access = position.description.access.filter((each) => each !== "write");
  return { ...position, set: undefined, description: { ...position.description, access } };
}

/** The target is write-only: no message reports a target that another client has set. */
function targetOf(position: MqttProperty, address: PropertyAddress): MqttProperty[] {
  const standard = standardProperty(address.service, address.property);
  if (!standard) return [];
  const { min, max, step, values } = position.description;
  const description: PropertyDescription = { ...standard, ...stated({ min, max, step, values }), access: ["write"] };
  return [{ ...position, address, description, isGoal: position.state !== undefined }];
}

function stated(limits: Partial<PropertyDescription>): Partial<PropertyDescription> {
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined));
}

const MOST_NAMED = 20;
const LONGEST_SHOWN = 60;

export class NotUnderstood {
  /** By topic and property. */
  readonly #named = new Map<string, string>();

  /** Each in a sentence, the newest last. */
  get sentences(): readonly string[] {
    return [...this.#named.values()];
  }

  /** Records a part of a message from which the property got no value. @param raw the part, unparsed; undefined when it is the message */
  note({ topic, payload }: Message, { address }: MqttProperty, raw: unknown = payload.text): void {
    const key = `${topic}: ${addressKey(address)}`;
    this.#named.delete(key);
    this.#named.set(key, `${key} is not understood: ${shown(raw)}`);
    const [first] = this.#named.keys();
    if (this.#named.size > MOST_NAMED && first !== undefined) this.#named.delete(first);
  }
}

/** Whether a part of a message that was read as no value is a spelling of "no value". */
function saysNoValue(raw: unknown): boolean {
  return raw === undefined || raw === null || (typeof raw === "string" && isNoValue(raw));
}

function shown(raw: unknown): string {
  const text = JSON.stringify(raw) ?? "";
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}
