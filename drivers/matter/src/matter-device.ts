/**
 * One device: reads, writes and reports.
 *
 * Invariants: a write ends with a value only when the device has accepted it and confirms the value; every value that the device reports
 * reaches the host, repeated ones included, and never an answer older than the device's last report.
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
import { DeviceRequests, orRefused, rawOf } from "./device-requests.ts";
import type { MatterProperty, Setting } from "./mapping/matter-property.ts";
import type { MatterNode } from "./matter-network.ts";

export interface MatterDeviceDeps {
  readonly clock: Clock;
  readonly host: Pick<DriverHost, "pushed" | "learned">;
  readonly node: MatterNode;
  /** Whether the device is reachable: its node is, and a bridge reports the same of the device behind it. */
  readonly isThere: () => boolean;
  readonly counters: { lateEvents: number; lostEvents: number };
}

export interface DeviceFacts {
  readonly edgeId: string;
  readonly about: DeviceAbout;
  readonly transport: string;
  readonly properties: readonly MatterProperty[];
}

/** How long before its deadline a write requests the value, ms; at most half of its time. */
const READ_BEFORE_MS = 1500;
/** Maximum requests for a property that the device reports meanwhile. */
const MOST_QUESTIONS = 4;

export class MatterDevice implements SeenDevice {
  readonly edgeId: string;
  /** Properties that could admit intruders have a standard class, or the hub decides about them. */
  readonly isSensitive = false;
  readonly #deps: MatterDeviceDeps;
  readonly #awaited: AwaitedValues;
  readonly #requests: DeviceRequests;
  /** Values that the host has, by the property's key. */
  readonly #reported = new Map<string, Value>();
  /** Values of a property reported since each open request for it. */
  readonly #reportedSince = new Set<{ readonly key: string; readonly values: Value[] }>();
  #properties: ReadonlyMap<string, MatterProperty> = new Map();
  #announced: LiveDevice;
  /** Aborted when the device has left; undefined while it is away. */
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

  /**
   * Applies a new description. When an address now belongs to another endpoint, requests under way are ended, so that none reaches
   * another device.
   */
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
    for (const key of this.#reported.keys()) if (!this.#properties.has(key)) this.#reported.delete(key);
    if (this.#life) for (const property of this.#properties.values()) this.#hear(property, false);
  }

  /** The host has accepted the device: reports all values known since it was connected. */
  arrive(): void {
    this.#life = new AbortController();
    this.#reported.clear();
    for (const property of this.#properties.values()) {
      const value = allows(property.description, "read") ? this.#now(property) : undefined;
      if (value === undefined) continue;
      this.#reported.set(addressKey(property.address), value);
      void this.#deps.host.learned({ device: this.edgeId, ...property.address, value });
    }
  }

  leave(): void {
    this.#life?.abort(new Error("The device is not connected."));
    this.#life = undefined;
    this.#awaited.release();
  }

  /** Reports properties whose attributes have changed. */
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
      // Events that a node repeats from the time without a connection are late, and are dropped.
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
      using expected = this.#awaited.expect(addressKey(address), (stated) => confirms(setting, stated));
      let isKnown = false;
      try {
        const outcome = await orRefused(async () => {
          await this.#requests.send(property, setting, life, watched);
          return setting.isAcceptedOnly ? { now: setting.now } : undefined;
        });
        const stated = outcome ?? (await this.#confirmed(property, setting, expected, life, watched));
        isKnown = "now" in stated;
        return stated;
      } finally {
        // Reports during the write were held back for its result; without a result the host gets them.
        if (!isKnown) this.#hearAgain(property);
      }
    });
  }

  /** Waits for a report of the subscription, and requests the value near the deadline. */
  async #confirmed(
    property: MatterProperty,
    setting: Setting,
    expected: ExpectedValue,
    life: AbortSignal,
    attempt: Attempt,
  ): Promise<Outcome> {
    const { clock } = this.#deps;
    const left = attempt.deadline - clock.monotonic();
    const wasSo = confirms(setting, this.#reported.get(addressKey(property.address)));
    const askAt = wasSo ? clock.monotonic() : attempt.deadline - Math.min(READ_BEFORE_MS, left / 2);
    const reported = await expected.within({ deadline: askAt, signal: attempt.signal });
    if (reported !== undefined) return this.#known(property, reported);
    const asked = await this.#ask(property, life, attempt).catch(silent);
    if (asked !== undefined && confirms(setting, asked)) return this.#known(property, asked);
    // The report may still be on its way, so the remaining time is spent waiting.
    const late = await expected.within({ deadline: attempt.deadline, signal: attempt.signal });
    if (late !== undefined) return this.#known(property, late);
    return { unknown: "The device has accepted it, and has not said that it is so." };
  }

  /**
   * Requests a property. A report during the request may be newer than the answer, so the request is repeated; after the last time, the
   * reported value counts.
   */
  async #ask(property: MatterProperty, life: AbortSignal, attempt: Attempt): Promise<Value | undefined> {
    for (let asked = 1; asked <= MOST_QUESTIONS; asked++) {
      const since = { key: addressKey(property.address), values: [] as Value[] };
      this.#reportedSince.add(since);
      try {
        const answer = await this.#requests.ask(property, life, attempt);
        if (answer === undefined) return undefined;
        const value = acceptedValue(property.address, property.description, answer);
        // The library also reports a new answer as a change.
        if (since.values.every((reported) => valuesEqual(reported, value))) return value;
      } finally {
        this.#reportedSince.delete(since);
      }
    }
    return this.#now(property);
  }

  /** Known value of a property; undefined while the node has not reported it. */
  #now({ read, address, description, ...property }: MatterProperty): Value | undefined {
    const value = read(rawOf(this.#deps.node, property));
    return value === undefined ? undefined : acceptedValue(address, description, value);
  }

  /** @param isFromDevice whether the device has just reported the value: it then reaches the host even if unchanged */
  #hear(property: MatterProperty, isFromDevice: boolean): void {
    if (!allows(property.description, "read")) return;
    const key = addressKey(property.address);
    const value = this.#now(property);
    if (value === undefined) return;
    if (isFromDevice) for (const since of this.#reportedSince) if (since.key === key) since.values.push(value);
    const isAwaited = this.#awaited.tell(key, value);
    const before = this.#reported.get(key);
    if (!isFromDevice && before !== undefined && valuesEqual(before, value)) return;
    this.#reported.set(key, value);
    // An awaited value is reported as the result of the write.
    if (!isAwaited) void this.#push(property.address, value);
  }

  #hearAgain(property: MatterProperty): void {
    this.#reported.delete(addressKey(property.address));
    if (this.#life) this.#hear(property, false);
  }

  async #push(address: PropertyAddress, value: Value): Promise<void> {
    const result = await this.#deps.host.pushed({ device: this.edgeId, ...address, value });
    if (result === "busy") this.#deps.counters.lostEvents += 1;
  }

  #known(property: MatterProperty, value: Value): Outcome {
    this.#reported.set(addressKey(property.address), value);
    return { now: value };
  }

  /** @throws Error; nothing has been sent before */
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

function confirms({ now, tolerance = 0 }: Setting, stated: Value | undefined): boolean {
  if (stated === undefined) return false;
  if (typeof now !== "number" || typeof stated !== "number") return valuesEqual(now, stated);
  return Math.abs(now - stated) <= tolerance + 1e-9;
}

/** The device has accepted the setting, so a failed request for the value does not mean that the setting failed. */
function silent(): undefined {
  return undefined;
}
