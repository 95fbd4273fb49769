/**
 * One device: reads, writes and follows its status.
 *
 * Invariants: every value that the device reports reaches the host, repeated ones included, and never a value older than the device's
 * last report; a write resolves with a value only after the device has answered and a later status, reported or requested, confirms it.
 */
import {
  type Attempt,
  acceptedValue,
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
} from "@porchlight/driver-kit";
import type { Clock } from "@porchlight/shared/kernel";
import { addressKey, type PropertyAddress, type Value, valuesEqual } from "@porchlight/shared/model";
import type {
  ComponentJson,
  ComponentsJson,
  ShellyCommand,
  ShellyDescription,
  ShellyProperty,
} from "./description/shelly-property.ts";
import { type RpcChannel, RpcRefused, type ShellyEvent } from "./rpc-channel.ts";
import { StatusOverlay, type StatusQuestion } from "./status-overlay.ts";

interface ShellyDeviceDeps {
  readonly clock: Clock;
  readonly host: Pick<DriverHost, "pushed" | "learned">;
  readonly counters: ShellyCounters;
}

/** How long to wait for the device to report the result of a write by itself, ms; then the driver requests it. */
const REPORTS_WITHIN_MS = 500;
/** Interval between two requests for the result of a write, ms. */
const ASK_AGAIN_MS = 1000;
const GONE = "The device no longer has this property.";
const NOT_CONNECTED = "The device is not connected.";
const NOT_SO = "The device accepted the command but did not report the new value.";

export class ShellyDevice {
  readonly #deps: ShellyDeviceDeps;
  readonly #status = new StatusOverlay();
  /** Values that the host has, by the property's key: a property can change with a member that no change names. */
  readonly #reported = new Map<string, Value>();
  readonly #awaited: AwaitedStatuses;
  /** Components whose configuration differs from their description. */
  readonly #doubted = new Set<string>();
  #description: ShellyDescription;
  #channel: RpcChannel | undefined;
  /** Whether the host has accepted the device. */
  isLive = false;
  /** How the device is reached, for people. */
  transport: string;

  constructor(description: ShellyDescription, transport: string, deps: ShellyDeviceDeps) {
    this.#deps = deps;
    this.#awaited = new AwaitedStatuses(deps.clock);
    this.#description = description;
    this.transport = transport;
  }

  get edgeId(): string {
    return this.#description.edgeId;
  }

  get description(): ShellyDescription {
    return this.#description;
  }

  /** The device as the host has it. */
  get announced(): LiveDevice {
    const { edgeId, about, properties } = this.#description;
    return { edgeId, about, description: describedServices(properties), transport: this.transport };
  }

  /** Whether the device can be reached now; a sleeping device is live but not awake. */
  get isAwake(): boolean {
    return this.#channel !== undefined;
  }

  describe(description: ShellyDescription): void {
    this.#description = description;
    this.#doubted.clear();
    const keys = new Set(description.properties.map(({ address }) => addressKey(address)));
    for (const key of this.#reported.keys()) if (!keys.has(key)) this.#reported.delete(key);
  }

  /** Reports values that the host does not have yet, such as those of new properties. */
  tellAll(): void {
    this.#changed(this.#components, {});
  }

  /** The component's configuration has changed: the meaning of its values is unknown until the device is described again. */
  doubt(component: string): void {
    this.#doubted.add(component);
    this.#changed(new Set([component]), {});
  }

  /** Uses this channel for requests from now on. */
  reachedBy(channel: RpcChannel): void {
    this.#channel = channel;
  }

  /** The channel has closed; another one may already have replaced it. */
  lost(channel: RpcChannel): void {
    if (this.#channel !== channel) return;
    this.#channel = undefined;
    this.#awaited.release();
  }

  /** The host has accepted the device: from now on its values are reported. */
  arrive(): void {
    this.isLive = true;
    for (const property of this.#description.properties) {
      const value = this.#readable(property);
      if (value === undefined) continue;
      this.#reported.set(addressKey(property.address), value);
      // When the store fails, the host marks the value as unknown.
      this.#deps.host.learned({ device: this.edgeId, ...property.address, value }).catch(() => undefined);
    }
  }

  /** Forgets the reported values, so that all are reported again when the device returns; operations under way end. */
  leave(): void {
    this.isLive = false;
    this.#reported.clear();
    this.#awaited.release();
  }

  /** Opens a request for the whole status; call it when the request is sent. */
  question(): StatusQuestion {
    const question = this.#status.ask();
    return {
      answered: (status) => {
        question.answered(status);
        this.#changed(this.#components, this.#status.all);
      },
      [Symbol.dispose]: () => question[Symbol.dispose](),
    };
  }

  /** Takes a whole status from the device. */
  takeStatus(status: unknown): void {
    this.#status.replace(status);
    this.#changed(this.#components, this.#status.all);
  }

  /** Takes changes from the device. */
  takeChanges(changes: unknown): void {
    const taken = this.#status.merge(changes);
    const keys = Object.keys(taken);
    if (!keys.some((key) => this.#components.has(key))) this.#deps.counters.otherChanges += 1;
    this.#changed(new Set(keys), taken);
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
        // Reports values that arrived during the write and differ from the written one.
        this.#changed(new Set([property.component]), {});
      }
    });
  }

  /** Resolves to whether the device confirms the change before the deadline. */
  async #carryOut({ component, address }: ShellyProperty, command: ShellyCommand, attempt: Attempt): Promise<boolean> {
    const { clock } = this.#deps;
    const { method, params, isSo } = command;
    using waiting = this.#awaited.expect(component, isSo);
    const { gate } = waiting;
    await this.#open().call(method, params, attempt, { touch: attempt.touch });
    await gate.wait(this.#within(attempt, REPORTS_WITHIN_MS));
    while (!gate.isOpen && clock.monotonic() < attempt.deadline && !attempt.signal?.aborted) {
      this.#find(address);
      await this.#ask(attempt);
      await gate.wait(this.#within(attempt, ASK_AGAIN_MS));
    }
    return gate.isOpen;
  }

  /** Requests the whole status. */
  async #ask(attempt: Attempt): Promise<void> {
    using question = this.question();
    const answered = (status: unknown) => question.answered(status);
    await this.#open().call("Shelly.GetStatus", {}, attempt, { touch: attempt.touch, answered });
  }

  #within({ deadline, signal }: Attempt, ms: number): Patience {
    return { deadline: Math.min(deadline, this.#deps.clock.monotonic() + ms), signal };
  }

  /** The caller gets the value, so it need not be reported to the host. @param otherwise value of a write-only property */
  #known(property: ShellyProperty, otherwise: Value): Outcome {
    if (!property.read) return { now: otherwise };
    const now = this.#now(property);
    this.#reported.set(addressKey(property.address), now);
    return { now };
  }

  /** @throws Error; nothing has been sent before */
  #open(): RpcChannel {
    if (!this.isLive) throw new Error(NOT_CONNECTED);
    if (this.#channel) return this.#channel;
    throw new Error("The device is asleep. It can be reached when it wakes up by itself.");
  }

  /** @throws Error; nothing has been sent before */
  #find(address: PropertyAddress): ShellyProperty {
    const key = addressKey(address);
    const property = this.#description.properties.find((each) => addressKey(each.address) === key);
    if (!property) throw new Error(GONE);
    return property;
  }

  /** Undefined for a property that cannot be read. */
  #readable(property: ShellyProperty): Value | undefined {
    return property.read && allows(property.description, "read") ? this.#now(property) : undefined;
  }

  /** The property's value in the status; `null` when a whole status lacks the member. */
  #now({ read, component, description, address, isConfigured }: ShellyProperty): Value {
    if (isConfigured && this.#doubted.has(component)) return null;
    return acceptedValue(address, description, read?.(this.#status.of(component)) ?? null);
  }

  get #components(): ReadonlySet<string> {
    return new Set(this.#description.properties.map(({ component }) => component));
  }

  /** @param latest what the device has just reported of these components: reported to the host even if unchanged */
  #changed(components: ReadonlySet<string>, latest: ComponentsJson): void {
    const awaited = this.#awaited.tell(components, (component) => this.#status.of(component));
    if (!this.isLive) return;
    for (const property of this.#description.properties) {
      const { component } = property;
      // A write that waits for the component decides about its values.
      if (components.has(component) && !awaited.has(component)) this.#tell(property, latest);
    }
  }

  #tell(property: ShellyProperty, latest: ComponentsJson): void {
    const { read, component, description, address } = property;
    if (!read || !allows(description, "notify")) return;
    const value = this.#now(property);
    const reported = read(latest[component] ?? {});
    if (reported !== undefined && worthOf(description, reported) === "wrong_type") this.#deps.counters.wrongType += 1;
    const key = addressKey(address);
    const before = this.#reported.get(key);
    if (reported === undefined && before !== undefined && valuesEqual(before, value)) return;
    this.#reported.set(key, value);
    void this.#push({ device: this.edgeId, ...address, value }, false);
  }

  async #push(observation: Parameters<DriverHost["pushed"]>[0], isEvent: boolean): Promise<void> {
    const result = await this.#deps.host.pushed(observation);
    if (result === "busy" && isEvent) this.#deps.counters.lostEvents += 1;
  }
}

/** Condition on a component's status; a write waits for it. */
type IsSo = (status: ComponentJson) => boolean;

class AwaitedStatuses {
  readonly #clock: Clock;
  readonly #waiting = new Set<{ readonly component: string; readonly isSo: IsSo; readonly gate: Gate }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Waits until disposed of. The gate opens when the component's status meets the condition. */
  expect(component: string, isSo: IsSo): { readonly gate: Gate } & Disposable {
    const waiting = { component, isSo, gate: new Gate(this.#clock) };
    this.#waiting.add(waiting);
    return { gate: waiting.gate, [Symbol.dispose]: () => void this.#waiting.delete(waiting) };
  }

  /** Tests the new status of these components. @returns those for which a write is waiting */
  tell(components: ReadonlySet<string>, statusOf: (component: string) => ComponentJson): ReadonlySet<string> {
    const awaited = new Set<string>();
    for (const { component, isSo, gate } of this.#waiting) {
      if (!components.has(component)) continue;
      if (isSo(statusOf(component))) gate.open();
      awaited.add(component);
    }
    return awaited;
  }

  /** No more statuses follow: releases all waiting writes. */
  release(): void {
    for (const { gate } of this.#waiting) gate.release();
  }
}

/** Counters of dropped input from devices. */
export interface ShellyCounters {
  /** Values that do not have the described type. */
  wrongType: number;
  /** Changes of unknown components, and events without a meaning for the hub. */
  otherChanges: number;
  /** Events dropped for lack of room. */
  lostEvents: number;
}
