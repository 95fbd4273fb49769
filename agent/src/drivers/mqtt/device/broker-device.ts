/**
 * One device behind a broker: read, written, and heard.
 *
 * Invariants: a value is told to the host once for each change; what the broker had kept is never told as news, since its age is not
 * known; a write ends with a value only when the device's own topic has said it, and where that topic repeats what was set, only when
 * the device has said it as well.
 */
import type { Clock } from "@porchlight/shared/kernel";
import { addressKey, CATALOGUE, type PropertyAddress, type Value, valuesEqual } from "@porchlight/shared/model";
import {
  type Attempt,
  AwaitedValues,
  allows,
  carryOut,
  type DriverHost,
  type DriverResult,
  describedServices,
  type LiveDevice,
  type SeenDevice,
  worthOf,
} from "../../kit/index.ts";
import { allProperties } from "./all-properties.ts";
import { AvailabilityState } from "./availability.ts";
import { confirmation } from "./confirmation.ts";
import type { Message, MqttDevice, MqttProperty, Publication } from "./mqtt-device.ts";
import { NO_STATE, NOT_ASKABLE, notAnswered, notConfirmed } from "./unanswered.ts";

export interface BrokerDeviceDeps {
  readonly clock: Clock;
  readonly host: Pick<DriverHost, "pushed" | "learned">;
  /** Settles when the broker has it. Rejects when the connection to the broker is gone. */
  readonly publish: (publication: Publication) => Promise<void>;
  /** A device has come. */
  readonly arrived: (device: BrokerDevice) => void;
  /** How devices of this broker are reached, for people. */
  readonly transport: string;
  readonly counters: DeviceCounters;
}

/** What was left aside of what devices told. */
export interface DeviceCounters {
  /** Values that are not of the described type. */
  wrongType: number;
  /** Messages on a topic of values that say nothing of any. */
  notUnderstood: number;
  /** Events for which there was no room. */
  lostEvents: number;
}

/** After this share of its time, and this long at most, a write asks the device what it now is. */
const ASK_SHARE = 1 / 3;
const ASK_AFTER_MS = 3000;
/** Between two questions whether a device has done what it was told, ms. */
const ASK_AGAIN_MS = 2000;

export class BrokerDevice implements SeenDevice {
  readonly #deps: BrokerDeviceDeps;
  readonly #awaited: AwaitedValues;
  /** What was last heard, by the property's key: what the broker had kept too. */
  readonly #heard = new Map<string, Value>();
  /** What the host knows. */
  readonly #told = new Map<string, Value>();
  #device: MqttDevice;
  #properties: readonly MqttProperty[] = [];
  readonly #availability: AvailabilityState;
  #announced: LiveDevice;
  #isLive = false;

  constructor(device: MqttDevice, deps: BrokerDeviceDeps) {
    this.#deps = deps;
    this.#device = device;
    this.#awaited = new AwaitedValues(deps.clock);
    this.#availability = new AvailabilityState(device.availability);
    this.#properties = allProperties(device);
    this.#announced = this.#announcement();
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
    return this.#availability.isThere;
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
    const ofValues = this.#properties.flatMap(({ state }) => (state ? [state.topic, ...(state.also ?? [])] : []));
    return new Set([...ofValues, ...this.#device.availability.topics.map(({ topic }) => topic)]);
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
  describe(device: MqttDevice): void {
    this.#availability.describe(device.availability);
    this.#device = device;
    this.#properties = allProperties(device);
    this.#announced = this.#announcement();
  }

  /** The host has taken it: what the broker has kept of it is told. */
  arrive(): void {
    this.#isLive = true;
    for (const property of this.#properties) {
      const value = this.#heard.get(addressKey(property.address));
      if (value !== undefined) this.#tellRetained(property, value);
    }
    this.#deps.arrived(this);
  }

  /** It has gone, or nothing is heard of it any more: what was told is worth nothing when it comes back. */
  leave(): void {
    this.#isLive = false;
    this.#told.clear();
    this.#heard.clear();
    this.#awaited.release();
  }

  /** The connection is gone: what the topics say of its availability must be heard again. */
  disconnect(): void {
    this.leave();
    this.#availability.forget();
  }

  take(message: Message): void {
    this.#availability.take(message);
    let isOfValues = false;
    let isUnderstood = false;
    for (const property of this.#properties) {
      if (property.state?.topic !== message.topic && !property.state?.also?.includes(message.topic)) continue;
      isOfValues = true;
      const value = property.state.read(message.payload);
      if (value === undefined) continue;
      isUnderstood = true;
      this.#hear(property, value, message.retained);
    }
    if (isOfValues && !isUnderstood) this.#deps.counters.notUnderstood += 1;
  }

  /** Whether the host knows its value since it arrived. */
  hasTold(address: PropertyAddress): boolean {
    return this.#told.has(addressKey(address));
  }

  read(address: PropertyAddress, attempt: Attempt): Promise<DriverResult> {
    return carryOut(attempt, async (watched) => {
      const property = this.#find(address);
      if (!property.state) return { refused: "The property cannot be read." };
      if (!property.ask) throw new Error(NOT_ASKABLE);
      const now = await this.#ask(property, property.ask, watched, watched.deadline);
      return now === undefined ? { unknown: notAnswered(this.#device) } : this.#known(property, now);
    });
  }

  write(address: PropertyAddress, value: Value, attempt: Attempt): Promise<DriverResult> {
    return carryOut(attempt, async (watched) => {
      const property = this.#find(address);
      const { set, state, ask, isEchoed } = property;
      if (!set) return { refused: "The property cannot be set." };
      const publication = set(value, (of) => this.#heard.get(addressKey(of)));
      using told = this.#awaited.expect(addressKey(address), this.#confirming(property, value));
      await watched.touch(() => this.#deps.publish(publication));
      if (!state) return { unknown: NO_STATE };
      const { deadline, signal } = watched;
      const soon = await told.within({ deadline: ask ? this.#askAt(watched) : deadline, signal });
      if (ask && isEchoed) {
        const now = await this.#askUntil(this.#confirming(property, value), property, ask, watched);
        return now === undefined ? { unknown: notConfirmed(this.#device) } : this.#confirmed(property, value, now);
      }
      if (ask && soon === undefined) await watched.touch(() => this.#deps.publish(ask));
      const now = soon ?? (await told.within({ deadline, signal }));
      return now === undefined ? { unknown: notConfirmed(this.#device) } : this.#confirmed(property, value, now);
    });
  }

  /** What the device answers when it is asked; undefined when it has not by then, monotonic ms. */
  async #ask(property: MqttProperty, ask: Publication, attempt: Attempt, deadline: number): Promise<Value | undefined> {
    using answer = this.#awaited.expect(addressKey(property.address), () => true);
    await attempt.touch(() => this.#deps.publish(ask));
    return await answer.within({ deadline, signal: attempt.signal });
  }

  /** Asks again and again: a device that is on its way there says other values first. */
  async #askUntil(
    isSo: (now: Value) => boolean,
    property: MqttProperty,
    ask: Publication,
    attempt: Attempt,
  ): Promise<Value | undefined> {
    const { clock } = this.#deps;
    const { deadline, signal } = attempt;
    using nothing = this.#awaited.expect(addressKey(property.address), () => false);
    while (this.#isLive && clock.monotonic() < deadline) {
      const until = Math.min(deadline, clock.monotonic() + ASK_AGAIN_MS);
      const now = await this.#ask(property, ask, attempt, until);
      if (now !== undefined && isSo(now)) return now;
      await nothing.within({ deadline: until, signal });
    }
    return undefined;
  }

  /** Whether a value that the device tells confirms the one that is set. */
  #confirming(property: MqttProperty, asked: Value): (now: Value) => boolean {
    // A topic that repeats what was set does not say where the device was.
    const from = property.isEchoed ? undefined : this.#heard.get(addressKey(property.address));
    return confirmation(property, asked, from);
  }

  /** Of a target that is what was set: the device tells where it is. */
  #confirmed(property: MqttProperty, asked: Value, now: Value): { readonly now: Value } {
    return property.isGoal ? { now: asked } : this.#known(property, now);
  }

  /** What the caller is told, the host need not be told by itself. */
  #known({ address }: MqttProperty, now: Value): { readonly now: Value } {
    this.#told.set(addressKey(address), now);
    return { now };
  }

  /** @throws Error, which nothing has been sent before */
  #find(address: PropertyAddress): MqttProperty {
    if (!this.#isLive) throw new Error("The device is not connected.");
    const key = addressKey(address);
    const property = this.#properties.find((each) => addressKey(each.address) === key);
    if (!property) throw new Error("The device no longer describes this property.");
    return property;
  }

  #askAt({ deadline }: Attempt): number {
    const now = this.#deps.clock.monotonic();
    return now + Math.min(ASK_AFTER_MS, (deadline - now) * ASK_SHARE);
  }

  #hear({ address, description }: MqttProperty, value: Value, retained: boolean): void {
    if (worthOf(description, value) === "wrong_type") {
      // A target is told where its position is, which counts it.
      if (allows(description, "notify")) this.#deps.counters.wrongType += 1;
      return;
    }
    const key = addressKey(address);
    this.#heard.set(key, value);
    if (retained) {
      this.#tellRetained({ address, description }, value);
      return;
    }
    // Whoever waited for it says what it is worth. What can only be written is told by nobody.
    const isAwaited = this.#awaited.tell(key, value);
    if (isAwaited || !this.#isLive || !allows(description, "notify")) return;
    const isEvent = !allows(description, "read");
    const before = this.#told.get(key);
    if (!isEvent && before !== undefined && valuesEqual(before, value)) return;
    this.#told.set(key, value);
    void this.#push({ device: this.edgeId, ...address, value }, isEvent);
  }

  /** What the broker had kept is told as that, once the host has the device, while nothing newer was told. */
  #tellRetained({ address, description }: Pick<MqttProperty, "address" | "description">, value: Value): void {
    if (!this.#isLive || this.hasTold(address) || !allows(description, "read")) return;
    const retained = { device: this.edgeId, ...address, value, isRetained: true };
    // What cannot be stored is raised by the host as not known.
    this.#deps.host.learned(retained).catch(() => undefined);
  }

  async #push(observation: Parameters<DriverHost["pushed"]>[0], isEvent: boolean): Promise<void> {
    const result = await this.#deps.host.pushed(observation);
    if (result === "busy" && isEvent) this.#deps.counters.lostEvents += 1;
  }
  #announcement(): LiveDevice {
    const { edgeId, about } = this.#device;
    return { edgeId, about, description: describedServices(this.#properties), transport: this.#deps.transport };
  }
}
