/**
 * One device behind a bridge, or a room of it: reads, writes and reports.
 *
 * Invariants: every report of the bridge reaches the host, also with an equal value; an answer older than a report does not count; a
 * write ends with a value only when the bridge reports that value for a device that it reaches, because its acceptance of the request
 * proves nothing about the device.
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
  identifyOnly,
  type LiveDevice,
  type Outcome,
  type Read,
  type SeenDevice,
  worthOf,
} from "@porchlight/driver-kit";
import type { Clock } from "@porchlight/shared/kernel";
import { addressKey, type PropertyAddress, type Value, valuesEqual } from "@porchlight/shared/model";
import type { ApiAnswer } from "./bridge-failures.ts";
import { answer, type Reference, type Resource, type ResourceSet } from "./resource.ts";
import { type HueDevice, type HueProperty, isReached, type Setting } from "./scenes.ts";

export interface BridgedDeviceDeps {
  readonly clock: Clock;
  readonly host: Pick<DriverHost, "pushed" | "learned">;
  readonly resources: Pick<ResourceSet, "get" | "put" | "versionOf">;
  /** @param key see `PacedRequests` @throws Error when there is no connection or no answer */
  readonly request: (
    method: "GET" | "PUT",
    of: Reference,
    body: object | undefined,
    attempt: Attempt,
    key?: string,
  ) => Promise<ApiAnswer>;
  /** Transport of this bridge's devices, for people. */
  readonly transport: string;
  readonly counters: { wrongType: number; lostEvents: number };
}

/** How long to wait for the bridge's event before requesting the device's state, ms. */
const ASK_AFTER_MS = 1500;
/** Maximum repetitions of a request for a resource that changes meanwhile. */
const MOST_AGAIN = 3;

export class BridgedDevice implements SeenDevice {
  readonly isSensitive = false;
  readonly #deps: BridgedDeviceDeps;
  readonly #awaited: AwaitedValues;
  /** Values that the host has, by the property's key. */
  readonly #reported = new Map<string, Value>();
  #device: HueDevice;
  #properties: readonly HueProperty[] = [];
  #announced: LiveDevice;
  #isLive = false;

  constructor(device: HueDevice, deps: BridgedDeviceDeps) {
    this.#deps = deps;
    this.#awaited = new AwaitedValues(deps.clock);
    this.#device = device;
    this.#properties = propertiesOf(device);
    this.#announced = this.#announcement();
  }

  get announced(): LiveDevice {
    return this.#announced;
  }

  get described(): HueDevice {
    return this.#device;
  }

  get isThere(): boolean {
    const { connectivity } = this.#device;
    return connectivity === undefined || isReached(this.#deps.resources.get(connectivity));
  }

  /** Takes the bridge's description, changed or not. */
  describe(device: HueDevice): void {
    this.#device = device;
    this.#properties = propertiesOf(device);
    const announced = this.#announcement();
    if (JSON.stringify(announced) !== JSON.stringify(this.#announced)) this.#announced = announced;
    // A property that returns later is reported again.
    const keys = new Set(this.#properties.map(({ address }) => addressKey(address)));
    for (const key of [...this.#reported.keys()]) if (!keys.has(key)) this.#reported.delete(key);
  }

  /** Forgets the reported values, because everything is read and reported again. */
  forget(): void {
    this.#reported.clear();
  }

  /** The host has accepted the device: reports all values of the bridge. */
  arrive(): void {
    this.#isLive = true;
    this.tellAll();
  }

  leave(): void {
    this.#isLive = false;
    this.#awaited.release();
  }

  /** Reports every value that differs from the host's, after the resources have been read as a whole. */
  tellAll(): void {
    if (!this.#isLive) return;
    for (const property of this.#properties) {
      const resource = this.#deps.resources.get(property.of.rid);
      if (!resource || !allows(property.description, "read")) continue;
      // Everything has been read, so a missing value is `null`.
      const value = this.#accepted(property, property.read(resource)) ?? null;
      if (!this.#isNew(property, value)) continue;
      const learned = { device: this.#device.edgeId, ...property.address, value };
      // When the store fails, the host marks the value as unknown.
      this.#deps.host.learned(learned).catch(() => undefined);
    }
  }

  /** Takes the changed fields of a resource. */
  take(update: Resource): void {
    if (!this.#isLive) return;
    for (const property of this.#properties) {
      if (property.of.rid !== update.id) continue;
      const value = this.#statedBy(update, property);
      if (value !== undefined) this.#hear(property, value);
    }
  }

  /** Reads the value from the whole resource, because one member can decide which other member counts. */
  #statedBy(update: Resource, property: HueProperty): Read<Value> {
    const { says, of, read } = property;
    if (!says) return this.#accepted(property, read(update)) ?? undefined;
    if (!says(update)) return undefined;
    return this.#accepted(property, read(this.#deps.resources.get(of.rid) ?? update)) ?? null;
  }

  read(address: PropertyAddress, attempt: Attempt): Promise<DriverResult> {
    return carryOut(attempt, async (watched) => {
      const property = this.#find(address);
      if (!property) return goneFrom(address);
      if (!allows(property.description, "read")) return { refused: "The property cannot be read." };
      const resource = await this.#readResource(property.of, watched);
      const value = this.#accepted(property, property.read(resource)) ?? null;
      this.#reported.set(addressKey(address), value);
      return { now: value };
    });
  }

  write(address: PropertyAddress, value: Value, attempt: Attempt): Promise<DriverResult> {
    return carryOut(attempt, async (watched) => {
      const property = this.#find(address);
      if (!property) return goneFrom(address);
      const now = this.#deps.resources.get(property.of.rid);
      if (!property.set || !now) return { refused: "The property cannot be set." };
      const setting = property.set(value, now);
      const key = addressKey(address);
      using report = this.#awaited.expect(key, (observed) => this.#isConfirmed(property, setting, value, observed));
      const { to = property.of, body } = setting;
      const refused = refusalOf(await this.#deps.request("PUT", to, body, watched, `${to.rid} ${key}`));
      if (refused) return refused;
      if (!allows(property.description, "read") && !setting.isDone) return { unknown: NOT_REPORTED };
      const { deadline, signal } = watched;
      const { clock } = this.#deps;
      while (clock.monotonic() < deadline && this.#isLive) {
        const soon = Math.min(deadline, clock.monotonic() + ASK_AFTER_MS);
        const observed = await report.within({ deadline: soon, signal });
        if (observed !== undefined) return this.#confirmed(property, observed ?? value);
        const resource = await this.#readResource(to, watched);
        const done = this.#doneBy(property, setting, value, resource);
        if (done !== undefined) return this.#confirmed(property, done);
      }
      return { unknown: "The bridge has taken it, and has not said that it is so." };
    });
  }

  /** The confirmed value of a write, according to the resource; undefined when the resource does not confirm it. */
  #doneBy(property: HueProperty, setting: Setting, asked: Value, resource: Resource): Value | undefined {
    const observed = this.#accepted(property, property.read(resource));
    if (setting.isDone) return setting.isDone(resource) ? (observed ?? asked) : undefined;
    return observed !== undefined && isSame(property, asked, observed) ? observed : undefined;
  }

  /** Whether a reported value confirms the write. */
  #isConfirmed(property: HueProperty, setting: Setting, asked: Value, observed: Value): boolean {
    const resource = this.#deps.resources.get(property.of.rid);
    return setting.isDone
      ? resource !== undefined && setting.isDone(resource) === true
      : isSame(property, asked, observed);
  }

  #confirmed({ address }: HueProperty, value: Value): Outcome {
    if (!this.isThere) return { unknown: "The bridge does not reach the device." };
    this.#reported.set(addressKey(address), value);
    return { now: value };
  }

  /**
   * Reads a resource. Repeats the request when the bridge has reported a change meanwhile, because the answer may be older than the
   * change.
   * @throws Error when the resource no longer exists, or there is no answer
   */
  async #readResource(of: Reference, attempt: Attempt): Promise<Resource> {
    const { resources, request } = this.#deps;
    for (let again = 0; again <= MOST_AGAIN; again++) {
      const version = resources.versionOf(of.rid);
      const { status, json } = await request("GET", of, undefined, attempt);
      if (resources.versionOf(of.rid) !== version) continue;
      const parsed = answer.safeParse(json);
      const resource = status === 200 && parsed.success ? resources.put(parsed.data.data[0]) : undefined;
      if (!resource) throw new Error(`The bridge does not say what it is (status ${status}).`);
      this.tellAll();
      return resource;
    }
    const reported = resources.get(of.rid);
    if (!reported) throw new Error("The bridge does not have it any more.");
    return reported;
  }

  /** @throws Error; nothing has been sent before */
  #find(address: PropertyAddress): HueProperty | undefined {
    if (!this.#isLive) throw new Error("The device is not connected.");
    const key = addressKey(address);
    return this.#properties.find((each) => addressKey(each.address) === key);
  }

  /** Restricts a value to the description; a value of another type becomes `null` and is counted. */
  #accepted({ address, description }: HueProperty, value: Read<Value>): Read<Value> {
    if (value === undefined) return undefined;
    if (worthOf(description, value) === "wrong_type") this.#deps.counters.wrongType += 1;
    return acceptedValue(address, description, value);
  }

  #hear(property: HueProperty, value: Value): void {
    const { address, description } = property;
    const key = addressKey(address);
    // A write that waits for the property decides about the value.
    if (this.#awaited.tell(key, value) || !allows(description, "notify")) return;
    const isEvent = !allows(description, "read");
    this.#reported.set(key, value);
    void this.#push({ device: this.#device.edgeId, ...address, value }, isEvent);
  }

  #isNew({ address }: HueProperty, value: Value): boolean {
    const key = addressKey(address);
    const before = this.#reported.get(key);
    if (before !== undefined && valuesEqual(before, value)) return false;
    this.#reported.set(key, value);
    return true;
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

function goneFrom(address: PropertyAddress): Outcome {
  return { refused: `The device does not describe ${addressKey(address)} any more.` };
}

const NOT_REPORTED = "The bridge has taken it, and never tells whether the device has done it.";

/** The bridge's objection to a request; undefined when it has accepted it. */
function refusalOf({ status, json }: ApiAnswer): Outcome | undefined {
  const parsed = answer.safeParse(json);
  const words = parsed.success ? parsed.data.errors.map(({ description }) => description).join("; ") : "";
  if (status === 429) return { refused: "The bridge is asked too much at once, and did nothing. Try again later." };
  if (status === 200 && words === "") return undefined;
  // The bridge reports "may not have effect" for a lamp that it does not reach; the lamp may still have received the command.
  if (status === 207 || status === 200) return { unknown: `The bridge says: ${words.slice(0, 200)}` };
  if (status >= 400 && status < 500)
    return { refused: words.slice(0, 200) || `The bridge answers ${status}.`, code: status };
  return { unknown: `The bridge answers ${status}.` };
}

function isSame({ tolerance = 0 }: HueProperty, asked: Value, observed: Value): boolean {
  if (typeof asked !== "number" || typeof observed !== "number") return valuesEqual(asked, observed);
  return Math.abs(asked - observed) <= tolerance;
}

function propertiesOf({ properties, identify }: HueDevice): readonly HueProperty[] {
  if (!identify) return properties;
  const set = () => ({ body: { identify: { action: "identify" } } });
  return [...properties, ...identifyOnly().map((each) => ({ ...each, of: identify, read: () => undefined, set }))];
}
