/**
 * One device: read, written, and heard.
 *
 * Invariants: a write ends with a value only when the device has accepted it and says that it is so; the host is told each value that the
 * device says, also one that it repeats, and no answer of before one that the device has told since.
 */
import {
  type Attempt,
  AwaitedValues,
  acceptedValue,
  allows,
  carryOut,
  type DriverHost,
  type DriverResult,
  describedServices,
  type ExpectedValue,
  type LiveDevice,
  type Outcome,
  type SeenDevice,
} from "@porchlight/driver-kit";
import type { Clock } from "@porchlight/shared/kernel";
import { addressKey, type DeviceAbout, type PropertyAddress, type Value, valuesEqual } from "@porchlight/shared/model";
import type { MatterProperty, Setting } from "../mapping/matter-property.ts";
import type { MatterNode } from "../network/matter-network.ts";
import { DeviceRequests, orRefused, rawOf } from "./device-requests.ts";

export interface MatterDeviceDeps {
  readonly clock: Clock;
  readonly host: Pick<DriverHost, "pushed" | "learned">;
  readonly node: MatterNode;
  /** Whether the device can be reached: the node is, and a bridge says so of what is behind it. */
  readonly isThere: () => boolean;
  readonly counters: { lateEvents: number; lostEvents: number };
}

export interface DeviceFacts {
  readonly edgeId: string;
  readonly about: DeviceAbout;
  readonly transport: string;
  readonly properties: readonly MatterProperty[];
}

/** How long before the end of its time a write asks the device itself, ms; at most half of its time. */
const READ_BEFORE_MS = 1500;
/** How often a device is asked while it tells the property by itself. */
const MOST_QUESTIONS = 4;

export class MatterDevice implements SeenDevice {
  readonly edgeId: string;
  /** What can let somebody in is of a class that the hub knows, or decided by the hub. */
  readonly isSensitive = false;
  readonly #deps: MatterDeviceDeps;
  readonly #awaited: AwaitedValues;
  readonly #requests: DeviceRequests;
  /** What the host knows, by the property's key. */
  readonly #told = new Map<string, Value>();
  /** For each question that is open, what the device has told of its property since. */
  readonly #toldSince = new Set<{ readonly key: string; readonly values: Value[] }>();
  #properties: ReadonlyMap<string, MatterProperty> = new Map();
  #announced: LiveDevice;
  /** Aborted when it has left; undefined while it is away. */
  #life: AbortController | undefined;

  constructor(facts: DeviceFacts, deps: MatterDeviceDeps) {
    this.edgeId = facts.edgeId;
    this.#deps = deps;
    this.#awaited = new AwaitedValues(deps.clock);
    this.#requests = new DeviceRequests(deps);
    this.#announced = announcement(facts);
    this.describe(facts);
  }

  get announced(): LiveDevice {
    return this.#announced;
  }

  get isThere(): boolean {
    return this.#deps.isThere();
  }

  /** It describes itself so now. What is under way at an endpoint that is another device's by now is not sent there any more. */
  describe(facts: DeviceFacts): void {
    const before = this.#properties;
    const hasMoved = facts.properties.some(
      ({ address, endpoint }) => (before.get(addressKey(address))?.endpoint ?? endpoint) !== endpoint,
    );
    if (hasMoved && this.#life) {
      this.#life.abort(new Error("The bridge has put the device at another endpoint."));
      this.#life = new AbortController();
      this.#awaited.release();
    }
    this.#properties = new Map(facts.properties.map((each) => [addressKey(each.address), each]));
    const announced = announcement(facts);
    if (JSON.stringify(announced) !== JSON.stringify(this.#announced)) this.#announced = announced;
    for (const key of this.#told.keys()) if (!this.#properties.has(key)) this.#told.delete(key);
    if (this.#life) for (const property of this.#properties.values()) this.#hear(property, false);
  }

  /** The host has taken it: it is told all that the device has said since it was connected. */
  arrive(): void {
    this.#life = new AbortController();
    this.#told.clear();
    for (const property of this.#properties.values()) {
      const value = allows(property.description, "read") ? this.#now(property) : undefined;
      if (value === undefined) continue;
      this.#told.set(addressKey(property.address), value);
      void this.#deps.host.learned({ device: this.edgeId, ...property.address, value });
    }
  }

  leave(): void {
    this.#life?.abort(new Error("The device is not connected."));
    this.#life = undefined;
    this.#awaited.release();
  }

  /** Attributes of one of its endpoints have changed. */
  changed(endpoint: number, cluster: string, attributes: readonly string[]): void {
    if (!this.#life) return;
    const isOf = (property: MatterProperty) =>
      property.endpoint === endpoint &&
      property.of.some((each) => each.cluster === cluster && attributes.includes(each.attribute));
    for (const property of this.#properties.values()) if (isOf(property)) this.#hear(property, true);
  }

  happened(endpoint: number, cluster: string, event: string, payload: unknown): void {
    for (const { endpoint: own, events = [], address } of this.#properties.values()) {
      const source = events.find((each) => own === endpoint && each.cluster === cluster && each.event === event);
      const value = source?.value(payload);
      if (value === undefined) continue;
      // What the node repeats of the time when it was not connected is not of now.
      if (!this.#life) this.#deps.counters.lateEvents += 1;
      else void this.#push(address, value);
    }
  }

  read(address: PropertyAddress, attempt: Attempt): Promise<DriverResult> {
    return carryOut(attempt, async (watched) => {
      const { property, life } = this.#find(address);
      if (!allows(property.description, "read")) return { refused: "The property cannot be read." };
      return orRefused(async () => {
        const value = await this.#ask(property, life, watched);
        return value === undefined ? { unknown: "The device has not told its value." } : this.#known(property, value);
      });
    });
  }

  write(address: PropertyAddress, value: Value, attempt: Attempt): Promise<DriverResult> {
    return carryOut(attempt, async (watched) => {
      const { property, life } = this.#find(address);
      if (!property.set) return { refused: "The property cannot be set." };
      const setting = property.set(value, rawOf(this.#deps.node, property));
      using expected = this.#awaited.expect(addressKey(address), (said) => confirms(setting, said));
      let isKnown = false;
      try {
        const outcome = await orRefused(async () => {
          await this.#requests.send(property, setting, life, watched);
          return setting.isAcceptedOnly ? { now: setting.now } : undefined;
        });
        const said = outcome ?? (await this.#confirmed(property, setting, expected, life, watched));
        isKnown = "now" in said;
        return said;
      } finally {
        // What it said meanwhile was kept for the answer: without one the host is told.
        if (!isKnown) this.#hearAgain(property);
      }
    });
  }

  /** Its word by the subscription; else its answer to one question. */
  async #confirmed(
    property: MatterProperty,
    setting: Setting,
    expected: ExpectedValue,
    life: AbortSignal,
    attempt: Attempt,
  ): Promise<Outcome> {
    const { clock } = this.#deps;
    const left = attempt.deadline - clock.monotonic();
    const wasSo = confirms(setting, this.#told.get(addressKey(property.address)));
    const askAt = wasSo ? clock.monotonic() : attempt.deadline - Math.min(READ_BEFORE_MS, left / 2);
    const told = await expected.within({ deadline: askAt, signal: attempt.signal });
    if (told !== undefined) return this.#known(property, told);
    const asked = await this.#ask(property, life, attempt).catch(silent);
    if (asked !== undefined && confirms(setting, asked)) return this.#known(property, asked);
    // It may be on its way: the rest of the time is its own.
    const late = await expected.within({ deadline: attempt.deadline, signal: attempt.signal });
    if (late !== undefined) return this.#known(property, late);
    return { unknown: "The device has accepted it, and has not said that it is so." };
  }

  /**
   * What the device answers. While it tells the property by itself, its answer may be of before that: it is asked again, and after the last
   * time what it has told counts.
   */
  async #ask(property: MatterProperty, life: AbortSignal, attempt: Attempt): Promise<Value | undefined> {
    for (let asked = 1; asked <= MOST_QUESTIONS; asked++) {
      const since = { key: addressKey(property.address), values: [] as Value[] };
      this.#toldSince.add(since);
      try {
        const answer = await this.#requests.ask(property, life, attempt);
        if (answer === undefined) return undefined;
        const value = acceptedValue(property.address, property.description, answer);
        // The library tells the answer itself as well, when it is new.
        if (since.values.every((told) => valuesEqual(told, value))) return value;
      } finally {
        this.#toldSince.delete(since);
      }
    }
    return this.#now(property);
  }

  /** What the node has told of a property; undefined when it has not told it. */
  #now({ read, address, description, ...property }: MatterProperty): Value | undefined {
    const value = read(rawOf(this.#deps.node, property));
    return value === undefined ? undefined : acceptedValue(address, description, value);
  }

  /** @param isSaid whether the device has just told it: then it is told also if it is not new */
  #hear(property: MatterProperty, isSaid: boolean): void {
    if (!allows(property.description, "read")) return;
    const key = addressKey(property.address);
    const value = this.#now(property);
    if (value === undefined) return;
    if (isSaid) for (const since of this.#toldSince) if (since.key === key) since.values.push(value);
    const isAwaited = this.#awaited.tell(key, value);
    const before = this.#told.get(key);
    if (!isSaid && before !== undefined && valuesEqual(before, value)) return;
    this.#told.set(key, value);
    // The caller of a write tells it as the write's own.
    if (!isAwaited) void this.#push(property.address, value);
  }

  #hearAgain(property: MatterProperty): void {
    this.#told.delete(addressKey(property.address));
    if (this.#life) this.#hear(property, false);
  }

  async #push(address: PropertyAddress, value: Value): Promise<void> {
    const result = await this.#deps.host.pushed({ device: this.edgeId, ...address, value });
    if (result === "busy") this.#deps.counters.lostEvents += 1;
  }

  #known(property: MatterProperty, value: Value): Outcome {
    this.#told.set(addressKey(property.address), value);
    return { now: value };
  }

  /** @throws Error, which nothing has been sent before */
  #find(address: PropertyAddress): { property: MatterProperty; life: AbortSignal } {
    if (!this.#life) throw new Error("The device is not connected.");
    const property = this.#properties.get(addressKey(address));
    if (!property) throw new Error("The device does not describe such a property any more.");
    return { property, life: this.#life.signal };
  }
}

function announcement({ edgeId, about, transport, properties }: DeviceFacts): LiveDevice {
  return { edgeId, about, transport, description: describedServices(properties) };
}

function confirms({ now, tolerance = 0 }: Setting, said: Value | undefined): boolean {
  if (said === undefined) return false;
  if (typeof now !== "number" || typeof said !== "number") return valuesEqual(now, said);
  return Math.abs(now - said) <= tolerance + 1e-9;
}

/** It has accepted what it was told: that it cannot be asked says nothing against it. */
function silent(): undefined {
  return undefined;
}
