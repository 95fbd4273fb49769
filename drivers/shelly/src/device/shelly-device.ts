/**
 * One device: read, written, and heard.
 *
 * Invariants: the host is told each value that the device says, also one that it repeats, and no value of before one that the device has
 * told since; a write ends with a value only when the device has answered and its status, told or asked for after that, says so.
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
} from "../description/shelly-property.ts";
import type { ShellyEvent } from "../rpc/frames.ts";
import { type RpcChannel, RpcRefused } from "../rpc/rpc-channel.ts";
import type { ShellyCounters } from "./shelly-counters.ts";
import { StatusOverlay, type StatusQuestion } from "./status-overlay.ts";

export interface ShellyDeviceDeps {
  readonly clock: Clock;
  readonly host: Pick<DriverHost, "pushed" | "learned">;
  readonly counters: ShellyCounters;
}

/** How long a device has to tell by itself that it has done what it was told, ms: then it is asked. */
const TELLS_WITHIN_MS = 500;
/** Between two questions whether a device has done what it was told, ms. */
const ASK_AGAIN_MS = 1000;
const GONE = "The device no longer has this property.";
const NOT_CONNECTED = "The device is not connected.";
const NOT_SO = "The device accepted the command but did not report the new value.";

export class ShellyDevice {
  readonly #deps: ShellyDeviceDeps;
  readonly #status = new StatusOverlay();
  /** What the host knows, by the property's key: a member that no change names may change with another one. */
  readonly #told = new Map<string, Value>();
  readonly #awaited: AwaitedStatuses;
  /** Components that are configured otherwise than they are described. */
  readonly #doubted = new Set<string>();
  #description: ShellyDescription;
  #channel: RpcChannel | undefined;
  /** Whether the host has taken it. */
  isLive = false;
  /** How it is reached, for people. */
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
    this.#doubted.clear();
    const keys = new Set(description.properties.map(({ address }) => addressKey(address)));
    for (const key of this.#told.keys()) if (!keys.has(key)) this.#told.delete(key);
  }

  /** Tells what the host does not know yet, such as properties that the device did not have before. */
  tellAll(): void {
    this.#changed(this.#components, {});
  }

  /** A component is configured otherwise from now on: what its values mean is not known until the device is described anew. */
  doubt(component: string): void {
    this.#doubted.add(component);
    this.#changed(new Set([component]), {});
  }

  /** It can be asked over this channel from now on. */
  reachedBy(channel: RpcChannel): void {
    this.#channel = channel;
  }

  /** That channel is gone; another one may have taken its place. */
  lost(channel: RpcChannel): void {
    if (this.#channel !== channel) return;
    this.#channel = undefined;
    this.#awaited.release();
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
    this.#awaited.release();
  }

  /** A question for the whole status, which is sent now. */
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

  /** It says all that is so now. */
  takeStatus(status: unknown): void {
    this.#status.replace(status);
    this.#changed(this.#components, this.#status.all);
  }

  /** It says what has changed. */
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
        // What was heard while the write waited, and was not its value, is told now.
        this.#changed(new Set([property.component]), {});
      }
    });
  }

  /** Whether the device says that it is so, by the deadline. */
  async #carryOut({ component, address }: ShellyProperty, command: ShellyCommand, attempt: Attempt): Promise<boolean> {
    const { clock } = this.#deps;
    const { method, params, isSo } = command;
    using waiting = this.#awaited.expect(component, isSo);
    const { gate } = waiting;
    await this.#open().call(method, params, attempt, { touch: attempt.touch });
    await gate.wait(this.#within(attempt, TELLS_WITHIN_MS));
    while (!gate.isOpen && clock.monotonic() < attempt.deadline && !attempt.signal?.aborted) {
      this.#find(address);
      await this.#ask(attempt);
      await gate.wait(this.#within(attempt, ASK_AGAIN_MS));
    }
    return gate.isOpen;
  }

  /** Has the device say all that is so now. */
  async #ask(attempt: Attempt): Promise<void> {
    using question = this.question();
    const answered = (status: unknown) => question.answered(status);
    await this.#open().call("Shelly.GetStatus", {}, attempt, { touch: attempt.touch, answered });
  }

  #within({ deadline, signal }: Attempt, ms: number): Patience {
    return { deadline: Math.min(deadline, this.#deps.clock.monotonic() + ms), signal };
  }

  /** What the caller is told, the host need not be told by itself. @param otherwise of a property that is not told */
  #known(property: ShellyProperty, otherwise: Value): Outcome {
    if (!property.read) return { now: otherwise };
    const now = this.#now(property);
    this.#told.set(addressKey(property.address), now);
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
    if (!property) throw new Error(GONE);
    return property;
  }

  /** Undefined for what cannot be read. */
  #readable(property: ShellyProperty): Value | undefined {
    return property.read && allows(property.description, "read") ? this.#now(property) : undefined;
  }

  /** What the status says of a property that it tells; a member that a whole status does not have is no value. */
  #now({ read, component, description, address, isConfigured }: ShellyProperty): Value {
    if (isConfigured && this.#doubted.has(component)) return null;
    return acceptedValue(address, description, read?.(this.#status.of(component)) ?? null);
  }

  get #components(): ReadonlySet<string> {
    return new Set(this.#description.properties.map(({ component }) => component));
  }

  /** @param said what the device has just said of these components: told also if it is not new */
  #changed(components: ReadonlySet<string>, said: ComponentsJson): void {
    const awaited = this.#awaited.tell(components, (component) => this.#status.of(component));
    if (!this.isLive) return;
    for (const property of this.#description.properties) {
      const { component } = property;
      // Whoever waits for the component says what it is worth.
      if (components.has(component) && !awaited.has(component)) this.#tell(property, said);
    }
  }

  #tell(property: ShellyProperty, said: ComponentsJson): void {
    const { read, component, description, address } = property;
    if (!read || !allows(description, "notify")) return;
    const value = this.#now(property);
    const told = read(said[component] ?? {});
    if (told !== undefined && worthOf(description, told) === "wrong_type") this.#deps.counters.wrongType += 1;
    const key = addressKey(address);
    const before = this.#told.get(key);
    if (told === undefined && before !== undefined && valuesEqual(before, value)) return;
    this.#told.set(key, value);
    void this.#push({ device: this.edgeId, ...address, value }, false);
  }

  async #push(observation: Parameters<DriverHost["pushed"]>[0], isEvent: boolean): Promise<void> {
    const result = await this.#deps.host.pushed(observation);
    if (result === "busy" && isEvent) this.#deps.counters.lostEvents += 1;
  }
}

/** Who waits for a component's status to say something: the caller of a write. */
type IsSo = (status: ComponentJson) => boolean;

class AwaitedStatuses {
  readonly #clock: Clock;
  readonly #waiting = new Set<{ readonly component: string; readonly isSo: IsSo; readonly gate: Gate }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** From now on, until it is disposed of. The gate opens when the component says so. */
  expect(component: string, isSo: IsSo): { readonly gate: Gate } & Disposable {
    const waiting = { component, isSo, gate: new Gate(this.#clock) };
    this.#waiting.add(waiting);
    return { gate: waiting.gate, [Symbol.dispose]: () => void this.#waiting.delete(waiting) };
  }

  /** These components have told their status. Gives those of them for which somebody waits. */
  tell(components: ReadonlySet<string>, statusOf: (component: string) => ComponentJson): ReadonlySet<string> {
    const awaited = new Set<string>();
    for (const { component, isSo, gate } of this.#waiting) {
      if (!components.has(component)) continue;
      if (isSo(statusOf(component))) gate.open();
      awaited.add(component);
    }
    return awaited;
  }

  /** No more is told: whoever waits goes on without. */
  release(): void {
    for (const { gate } of this.#waiting) gate.release();
  }
}
