/**
 * One device: reads, writes and follows its states.
 *
 * Invariants: every value that the device reports reaches the host, repeated ones included, and never a value older than the device's
 * last report; a write ends with a value only when a state reported after the command confirms it, or, without a state, when the device
 * has answered a ping that was sent after the command.
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
import {
  type EspHomeCommand,
  type EspHomeDescription,
  type EspHomeProperty,
  entityKey,
} from "./description/esphome-property.ts";
import { StateQuestions } from "./state-questions.ts";
import type { EspHomeChannel } from "./wire/esphome-channel.ts";
import type { EntityState, ReportedState } from "./wire/messages.ts";

export interface EspHomeDeviceDeps {
  readonly clock: Clock;
  readonly host: Pick<DriverHost, "pushed" | "learned" | "unread">;
  readonly counters: EspHomeCounters;
}

/** Counters of dropped input from devices. */
export interface EspHomeCounters {
  /** Values that do not have the described type. */
  wrongType: number;
  /** States of entities that are not described, and events without a meaning for the hub. */
  otherStates: number;
  /** Events dropped for lack of room. */
  lostEvents: number;
}

/** How long to wait for the device to report the result of a write by itself, ms; then the driver requests it. */
const REPORTS_WITHIN_MS = 500;
/** Interval between two requests for the same state, ms. */
const ASK_AGAIN_MS = 1000;
const NOT_CONNECTED = "The device is not connected.";
const NOT_SO = "The device has not reported the new value.";

export class EspHomeDevice {
  readonly description: EspHomeDescription;
  readonly transport: string;
  /** The device as the host has it. */
  readonly announced: LiveDevice;
  readonly #deps: EspHomeDeviceDeps;
  readonly #channel: EspHomeChannel;
  readonly #questions: StateQuestions;
  readonly #properties: ReadonlyMap<string, EspHomeProperty>;
  readonly #ofEntity: ReadonlyMap<string, readonly EspHomeProperty[]>;
  readonly #states = new Map<string, EntityState>();
  /** Values that the host has, by the property's key. */
  readonly #reported = new Map<string, Value>();
  readonly #awaited: AwaitedStates;
  /** Opens when every entity with a state has reported it. */
  readonly #allReported: Gate;
  /** Whether the host has accepted the device. */
  isLive = false;

  constructor(description: EspHomeDescription, transport: string, channel: EspHomeChannel, deps: EspHomeDeviceDeps) {
    const { edgeId, about, properties } = description;
    this.description = description;
    this.transport = transport;
    this.announced = { edgeId, about, description: describedServices(properties), transport };
    this.#deps = deps;
    this.#channel = channel;
    this.#awaited = new AwaitedStates(deps.clock);
    this.#questions = new StateQuestions(deps.clock, () => channel.askStates());
    this.#properties = new Map(properties.map((each) => [addressKey(each.address), each]));
    this.#ofEntity = Map.groupBy(properties, ({ entity }) => entityKey(entity));
    this.#allReported = new Gate(deps.clock);
  }

  get edgeId(): string {
    return this.description.edgeId;
  }

  /** A part without a standard class can injure people or admit intruders. */
  get isSensitive(): boolean {
    return this.description.isSensitive;
  }

  /** Requests all states. Resolves when they have arrived, or at the deadline. */
  async firstStates(patience: Patience): Promise<void> {
    this.#channel.hear({ reported: (state) => this.#take(state), missed: () => this.#questions.askSoon() });
    await this.#allReported.wait(patience);
  }

  /** The host has accepted the device: from now on its values are reported. */
  arrive(): void {
    this.isLive = true;
    for (const property of this.#properties.values()) {
      if (!allows(property.description, "read")) continue;
      const value = this.#readable(property);
      if (value === undefined) {
        this.#deps.host.unread(this.edgeId, property.address);
        continue;
      }
      this.#reported.set(addressKey(property.address), value);
      // When the store fails, the host marks the value as unknown.
      this.#deps.host.learned({ device: this.edgeId, ...property.address, value }).catch(() => undefined);
    }
  }

  /** Forgets the reported values, so that all are reported again when the device returns; operations under way end. */
  leave(): void {
    this.isLive = false;
    this.#reported.clear();
    this.#release();
  }

  tellAll(): void {
    for (const entity of this.#ofEntity.keys()) this.#changed(entity, false);
  }

  /** The connection has closed. */
  [Symbol.dispose](): void {
    this.#questions[Symbol.dispose]();
    this.#release();
  }

  read(address: PropertyAddress, attempt: Attempt): Promise<DriverResult> {
    return carryOut(attempt, async (watched) => {
      const property = this.#find(address);
      if (!property.read) return { refused: "The property cannot be read." };
      const isSo = await this.#untilReported(
        property,
        () => true,
        watched,
        () => this.#ask(property, watched),
      );
      return isSo ? this.#known(property, null) : { unknown: "The device does not answer." };
    });
  }

  write(address: PropertyAddress, value: Value, attempt: Attempt): Promise<DriverResult> {
    return carryOut(attempt, async (watched) => {
      const property = this.#find(address);
      const key = entityKey(property.entity);
      if (!property.command) return { refused: "The property cannot be set." };
      const command = property.command(value, this.#states.get(key));
      try {
        const isSo = await this.#carryOut(property, command, watched);
        return isSo ? this.#known(property, value) : { unknown: NOT_SO };
      } finally {
        // Reports values that arrived during the write and differ from the written one.
        this.#changed(key, false);
      }
    });
  }

  /** Resolves to whether the device confirms the command before the deadline. */
  async #carryOut(property: EspHomeProperty, { options, isSo }: EspHomeCommand, attempt: Attempt): Promise<boolean> {
    const send = () => attempt.touch(() => this.#open().command(property.entity, options));
    if (isSo) return this.#untilReported(property, isSo, attempt, send, REPORTS_WITHIN_MS);
    send();
    return this.#open().hasTakenIn(attempt);
  }

  /** Sends, then repeats the request for states until the entity reports a matching one. */
  async #untilReported(
    property: EspHomeProperty,
    isSo: (state: EntityState) => boolean,
    attempt: Attempt,
    send: () => void,
    firstMs = ASK_AGAIN_MS,
  ): Promise<boolean> {
    const { clock } = this.#deps;
    this.#open();
    using reported = this.#awaited.expect(entityKey(property.entity), isSo);
    send();
    let isReported = await reported.within(this.#within(attempt, firstMs));
    while (!isReported && clock.monotonic() < attempt.deadline && !attempt.signal?.aborted) {
      this.#ask(property, attempt);
      isReported = await reported.within(this.#within(attempt, ASK_AGAIN_MS));
    }
    return isReported;
  }

  /** Requests the current states. */
  #ask({ entity }: EspHomeProperty, attempt: Attempt): void {
    this.#open();
    attempt.touch(() => this.#questions.ask(entityKey(entity)));
  }

  #within({ deadline, signal }: Attempt, ms: number): Patience {
    return { deadline: Math.min(deadline, this.#deps.clock.monotonic() + ms), signal };
  }

  /** The caller gets the value, so it need not be reported to the host. @param otherwise value of a write-only property */
  #known(property: EspHomeProperty, otherwise: Value): Outcome {
    if (!property.read) return { now: otherwise };
    const now = this.#readable(property) ?? null;
    this.#reported.set(addressKey(property.address), now);
    return { now };
  }

  /** @throws Error; nothing has been sent before */
  #open(): EspHomeChannel {
    if (!this.isLive || this.#channel.isClosed) throw new Error(NOT_CONNECTED);
    return this.#channel;
  }

  /** @throws Error; nothing has been sent before */
  #find(address: PropertyAddress): EspHomeProperty {
    const property = this.#properties.get(addressKey(address));
    if (!property) throw new Error("The device no longer has this property.");
    return property;
  }

  /** Known value of a property; undefined while its entity has not reported a state. */
  #readable({ read, entity, description, address }: EspHomeProperty): Value | undefined {
    const state = this.#states.get(entityKey(entity));
    const value = state && read?.(state);
    return value === undefined ? undefined : acceptedValue(address, description, value);
  }

  #take({ state, ...ref }: ReportedState): void {
    const key = entityKey(ref);
    const properties = this.#ofEntity.get(key);
    if (!properties) {
      this.#deps.counters.otherStates += 1;
      return;
    }
    const isEvent = properties.some(({ event }) => event);
    if (!isEvent && !this.#questions.reported(key, state) && !this.#awaited.accepts(key, state)) return;
    this.#happened(properties, state);
    this.#states.set(key, state);
    this.#changed(key, true);
    if (this.#hasAll()) this.#allReported.open();
  }

  #happened(properties: readonly EspHomeProperty[], state: EntityState): void {
    const events = properties.filter(({ event }) => event);
    const stated = events.flatMap(({ event, address }) => {
      const value = event?.(state);
      return value === undefined ? [] : [{ device: this.edgeId, ...address, value }];
    });
    if (events.length > 0 && stated.length === 0) this.#deps.counters.otherStates += 1;
    if (this.isLive) for (const each of stated) void this.#push(each, true);
  }

  #hasAll(): boolean {
    if (this.#allReported.isOpen) return true;
    return [...this.#properties.values()].every(({ read, entity }) => !read || this.#states.has(entityKey(entity)));
  }

  /** @param isFromDevice whether the entity has just reported the state: it then reaches the host even if unchanged */
  #changed(key: string, isFromDevice: boolean): void {
    const state = this.#states.get(key);
    if (!state) return;
    const isAwaited = this.#awaited.tell(key, state);
    // A read or write that waits for the entity decides about its values.
    if (!this.isLive || isAwaited) return;
    for (const property of this.#ofEntity.get(key) ?? []) this.#tell(property, isFromDevice);
  }

  #tell(property: EspHomeProperty, isFromDevice: boolean): void {
    const { description, address, entity, read } = property;
    const value = this.#readable(property);
    if (value === undefined || !allows(description, "notify")) return;
    const raw = read?.(this.#states.get(entityKey(entity)) ?? {});
    if (isFromDevice && raw !== undefined && worthOf(description, raw) === "wrong_type")
      this.#deps.counters.wrongType += 1;
    const key = addressKey(address);
    const before = this.#reported.get(key);
    if (!isFromDevice && before !== undefined && valuesEqual(before, value)) return;
    this.#reported.set(key, value);
    void this.#push({ device: this.edgeId, ...address, value }, false);
  }

  async #push(observation: Parameters<DriverHost["pushed"]>[0], isEvent: boolean): Promise<void> {
    const result = await this.#deps.host.pushed(observation);
    if (result === "busy" && isEvent) this.#deps.counters.lostEvents += 1;
  }

  #release(): void {
    this.#awaited.release();
    this.#allReported.release();
  }
}

/** Condition on an entity's state, for which a read or write waits. */
type IsSo = (state: EntityState) => boolean;

class AwaitedStates {
  readonly #clock: Clock;
  readonly #waiting = new Set<{ readonly entity: string; readonly isSo: IsSo; readonly gate: Gate }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Waits until disposed of. */
  expect(entity: string, isSo: IsSo): AwaitedState {
    const gate = new Gate(this.#clock);
    const waiting = { entity, isSo, gate };
    this.#waiting.add(waiting);
    return {
      within: async (patience) => {
        await gate.wait(patience);
        return gate.isOpen;
      },
      [Symbol.dispose]: () => void this.#waiting.delete(waiting),
    };
  }

  /** Whether a read or write waits for exactly this state. */
  accepts(entity: string, state: EntityState): boolean {
    return [...this.#waiting].some((each) => each.entity === entity && !each.gate.isOpen && each.isSo(state));
  }

  /** Tests a reported state. @returns whether a read or write waits for the entity, for this state or another */
  tell(entity: string, state: EntityState): boolean {
    const ofEntity = [...this.#waiting].filter((each) => each.entity === entity);
    for (const { isSo, gate } of ofEntity) if (isSo(state)) gate.open();
    return ofEntity.length > 0;
  }

  /** No more states follow: releases all waiting reads and writes. */
  release(): void {
    for (const { gate } of this.#waiting) gate.release();
  }
}

interface AwaitedState extends Disposable {
  /** Whether a matching state arrives in time. */
  within(patience: Patience): Promise<boolean>;
}
