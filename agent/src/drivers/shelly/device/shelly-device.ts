/**
 * One device: read, written, and heard.
 *
 * Invariants: a value is told to the host once for each change; a write ends with a value only when the device has answered and its
 * status, told or asked for after that, says so.
 */
import type { Clock } from "@porchlight/shared/kernel";
import { addressKey, type PropertyAddress, type Value, valuesEqual } from "@porchlight/shared/model";
import {
  type Attempt,
  allows,
  carryOut,
  type DriverHost,
  type DriverResult,
  describedServices,
  Gate,
  type LiveDevice,
  type Outcome,
  type Patience,
  worthOf,
} from "../../kit/index.ts";
import type {
  ComponentJson,
  ShellyCommand,
  ShellyDescription,
  ShellyProperty,
} from "../description/shelly-property.ts";
import type { ShellyEvent } from "../rpc/frames.ts";
import { type RpcChannel, RpcRefused } from "../rpc/rpc-channel.ts";
import { StatusOverlay } from "./status-overlay.ts";

export interface ShellyDeviceDeps {
  readonly clock: Clock;
  readonly host: Pick<DriverHost, "pushed" | "learned">;
  readonly counters: ShellyCounters;
}

/** What was left aside of what devices told. */
export interface ShellyCounters {
  /** Values that are not of the described type. */
  wrongType: number;
  /** Changes of components that the device does not have, and events that mean nothing here. */
  otherChanges: number;
  /** Events for which there was no room. */
  lostEvents: number;
}

/** How long a device has to tell by itself that it has done what it was told, ms: then it is asked. */
const TELLS_WITHIN_MS = 500;
/** Between two questions whether a device has done what it was told, ms. */
const ASK_AGAIN_MS = 1000;
const NOT_CONNECTED = "The device is not connected.";
const NOT_SO = "The device accepted the command but did not report the new value.";

/** Somebody waits for a component's status to say something. */
interface Waiting {
  readonly component: string;
  readonly isSo: (status: ComponentJson) => boolean;
  readonly gate: Gate;
}

export class ShellyDevice {
  readonly #deps: ShellyDeviceDeps;
  readonly #status = new StatusOverlay();
  /** What the host knows, by the property's key. */
  readonly #told = new Map<string, Value>();
  readonly #waiting = new Set<Waiting>();
  #description: ShellyDescription;
  #channel: RpcChannel | undefined;
  /** Whether the host has taken it. */
  isLive = false;
  /** How it is reached, for people. */
  transport: string;

  constructor(description: ShellyDescription, transport: string, deps: ShellyDeviceDeps) {
    this.#deps = deps;
    this.#description = description;
    this.transport = transport;
  }

  get edgeId(): string {
    return this.#description.edgeId;
  }

  get description(): ShellyDescription {
    return this.#description;
  }

  /** As the host has it. */
  get announced(): LiveDevice {
    const { edgeId, about, properties } = this.#description;
    return { edgeId, about, description: describedServices(properties), transport: this.transport };
  }

  /** Whether it can be asked now: one that sleeps is live, and cannot. */
  get isAwake(): boolean {
    return this.#channel !== undefined;
  }

  describe(description: ShellyDescription): void {
    this.#description = description;
  }

  /** All that it says and the host does not know yet is told, as of properties that it did not have before. */
  tellAll(): void {
    this.#changed(new Set(this.#description.properties.map(({ component }) => component)));
  }

  /** It can be asked over this channel from now on. */
  reachedBy(channel: RpcChannel): void {
    this.#channel = channel;
  }

  /** That channel is gone; another one may have taken its place. */
  lost(channel: RpcChannel): void {
    if (this.#channel !== channel) return;
    this.#channel = undefined;
    for (const { gate } of this.#waiting) gate.release();
  }

  /** The host has taken it: all that it says is told. */
  arrive(): void {
    this.isLive = true;
    for (const property of this.#description.properties) {
      const value = this.#readable(property);
      if (value === undefined) continue;
      this.#told.set(addressKey(property.address), value);
      // What cannot be stored is raised by the host as not known.
      this.#deps.host.learned({ device: this.edgeId, ...property.address, value }).catch(() => undefined);
    }
  }

  /** What was told is worth nothing when it comes back; what is under way ends. */
  leave(): void {
    this.isLive = false;
    this.#told.clear();
    for (const { gate } of this.#waiting) gate.release();
  }

  /** It says all that is so now. */
  takeStatus(status: unknown): void {
    this.#status.replace(status);
    this.tellAll();
  }

  /** It says what has changed. */
  takeChanges(changes: unknown): void {
    const keys = this.#status.merge(changes);
    const known = new Set(this.#description.properties.map(({ component }) => component));
    if (!keys.some((key) => known.has(key))) this.#deps.counters.otherChanges += 1;
    this.#changed(new Set(keys));
  }

  takeEvents(events: readonly ShellyEvent[]): void {
    for (const { component, event } of events) {
      let isUnderstood = false;
      for (const property of this.#description.properties) {
        const value = property.component === component ? property.event?.(event) : undefined;
        if (value === undefined) continue;
        isUnderstood = true;
        if (this.isLive) void this.#push({ device: this.edgeId, ...property.address, value }, true);
      }
      if (!isUnderstood) this.#deps.counters.otherChanges += 1;
    }
  }

  read(address: PropertyAddress, attempt: Attempt): Promise<DriverResult> {
    return carryOut(attempt, async (watched) => {
      const property = this.#find(address);
      if (!property.read) return { refused: "The property cannot be read." };
      await this.#ask(watched);
      return this.#known(property, null);
    });
  }

  write(address: PropertyAddress, value: Value, attempt: Attempt): Promise<DriverResult> {
    return carryOut(attempt, async (watched) => {
      const property = this.#find(address);
      if (!property.command) return { refused: "The property cannot be set." };
      const command = property.command(value, this.#status.of(property.component));
      try {
        const isSo = await this.#carryOut(property, command, watched);
        return isSo ? this.#known(property, value) : { unknown: NOT_SO };
      } catch (failure) {
        if (failure instanceof RpcRefused) return { refused: failure.message, code: failure.code };
        throw failure;
      } finally {
        // What was heard while the write waited, and was not its value, is told now.
        this.#changed(new Set([property.component]));
      }
    });
  }

  /** Whether the device says that it is so, by the deadline. */
  async #carryOut({ component }: ShellyProperty, command: ShellyCommand, attempt: Attempt): Promise<boolean> {
    const { clock } = this.#deps;
    const { method, params, isSo } = command;
    const waiting: Waiting = { component, isSo, gate: new Gate(clock) };
    this.#waiting.add(waiting);
    try {
      await this.#open().call(method, params, attempt, { touch: attempt.touch });
      await waiting.gate.wait(this.#within(attempt, TELLS_WITHIN_MS));
      while (!waiting.gate.isOpen && clock.monotonic() < attempt.deadline && !attempt.signal?.aborted) {
        await this.#ask(attempt);
        await waiting.gate.wait(this.#within(attempt, ASK_AGAIN_MS));
      }
      return waiting.gate.isOpen;
    } finally {
      this.#waiting.delete(waiting);
    }
  }

  /** Has the device say all that is so now. */
  async #ask(attempt: Attempt): Promise<void> {
    const answered = (status: unknown) => this.takeStatus(status);
    await this.#open().call("Shelly.GetStatus", {}, attempt, { touch: attempt.touch, answered });
  }

  #within({ deadline, signal }: Attempt, ms: number): Patience {
    return { deadline: Math.min(deadline, this.#deps.clock.monotonic() + ms), signal };
  }

  /** What the caller is told, the host need not be told by itself. @param otherwise of a property that is not told */
  #known(property: ShellyProperty, otherwise: Value): Outcome {
    const now = property.read ? (this.#readable(property) ?? null) : otherwise;
    if (worthOf(property.description, now) === "wrong_type")
      return { unknown: "The device reported a value of the wrong type." };
    if (property.read) this.#told.set(addressKey(property.address), now);
    return { now };
  }

  /** @throws Error, which nothing has been sent before */
  #open(): RpcChannel {
    if (!this.isLive) throw new Error(NOT_CONNECTED);
    if (this.#channel) return this.#channel;
    throw new Error("The device is asleep. It can be reached when it wakes up by itself.");
  }

  /** @throws Error, which nothing has been sent before */
  #find(address: PropertyAddress): ShellyProperty {
    const key = addressKey(address);
    const property = this.#description.properties.find((each) => addressKey(each.address) === key);
    if (!property) throw new Error("The device no longer has this property.");
    return property;
  }

  /** What the status says of a property; a member that a whole status does not have is no value. */
  #readable({ read, component, description }: ShellyProperty): Value | undefined {
    if (!read || !allows(description, "read")) return undefined;
    const value = read(this.#status.of(component)) ?? null;
    return worthOf(description, value) === "wrong_type" ? undefined : value;
  }

  #changed(components: ReadonlySet<string>): void {
    const awaited = new Set<string>();
    for (const { component, isSo, gate } of this.#waiting) {
      if (!components.has(component)) continue;
      if (isSo(this.#status.of(component))) gate.open();
      awaited.add(component);
    }
    if (!this.isLive) return;
    for (const property of this.#description.properties) {
      // Whoever waits for the component says what it is worth.
      if (components.has(property.component) && !awaited.has(property.component)) this.#tell(property);
    }
  }

  #tell(property: ShellyProperty): void {
    const { read, component, description, address } = property;
    if (!read || !allows(description, "notify")) return;
    const value = read(this.#status.of(component)) ?? null;
    if (worthOf(description, value) === "wrong_type") {
      this.#deps.counters.wrongType += 1;
      return;
    }
    const key = addressKey(address);
    const before = this.#told.get(key);
    if (before !== undefined && valuesEqual(before, value)) return;
    this.#told.set(key, value);
    void this.#push({ device: this.edgeId, ...address, value }, false);
  }

  async #push(observation: Parameters<DriverHost["pushed"]>[0], isEvent: boolean): Promise<void> {
    const result = await this.#deps.host.pushed(observation);
    if (result === "busy" && isEvent) this.#deps.counters.lostEvents += 1;
  }
}
