/** One simulated device: its values, what is done to it by hand, and every write that it has carried out. */
import { type Clock, NamedError, type Random } from "@porchlight/shared/kernel";
import {
  addressKey,
  type DeviceAbout,
  type DeviceDescription,
  findProperty,
  hasType,
  type PropertyAddress,
  type PropertyDescription,
  parseSelector,
  type Value,
  valuesEqual,
} from "@porchlight/shared/model";
import { encodeMessage, HUB_FRAME_LIMIT } from "@porchlight/shared/wire";
import { type DeviceFault, NO_FAULT } from "../faults/device-fault.ts";
import type { DeviceAction } from "./behaviour/fade.ts";
import { DeviceLife, type LivingDevice } from "./behaviour/life.ts";
import type { DeviceDefinition } from "./definition.ts";

/** A property: its address, or `SERVICE[:INDEX].PROPERTY`. */
export type Where = PropertyAddress | string;

/** A WRITE that was carried out. */
export interface AppliedWrite {
  readonly address: PropertyAddress;
  readonly value: Value;
  /** Wall-clock ms. */
  readonly at: number;
}

/** Told of every value that changed other than by the WRITE of that very property, and of every event. */
export type Tell = (edgeId: string, address: PropertyAddress, value: Value, event: boolean) => void;

export interface DeviceDeps {
  readonly definition: DeviceDefinition;
  /** The clock of its life: behaviours and blinking. */
  readonly clock: Clock;
  readonly random: Random;
  readonly tell: Tell;
}

export class SimulatedDevice implements LivingDevice, Disposable {
  readonly edgeId: string;
  readonly services: DeviceDescription;
  readonly about: DeviceAbout;
  readonly #clock: Clock;
  readonly #life: DeviceLife;
  readonly #tell: Tell;
  readonly #values = new Map<string, Value>();
  readonly #writes: AppliedWrite[] = [];
  #fault: DeviceFault;
  #identifyUntil = 0;

  /** Its life begins at once. */
  static start(deps: DeviceDeps): SimulatedDevice {
    const device = new SimulatedDevice(deps);
    device.#life.begin();
    return device;
  }

  private constructor({ definition, clock, random, tell }: DeviceDeps) {
    this.edgeId = definition.edgeId;
    this.services = definition.services;
    this.about = definition.about ?? {};
    this.#clock = clock;
    this.#tell = tell;
    this.#fault = definition.fault ?? NO_FAULT;
    this.#life = new DeviceLife(definition.behaviours ?? [], clock, random, this);
    for (const [address, value] of definition.values ?? []) this.#values.set(addressKey(address), value);
  }

  /** Every value, by `SERVICE:INDEX.PROPERTY`. */
  get values(): ReadonlyMap<string, Value> {
    return this.#values;
  }

  /** Every WRITE carried out since the start, oldest first, repetitions not counted: they are not carried out. */
  get writes(): readonly AppliedWrite[] {
    return this.#writes;
  }

  get fault(): DeviceFault {
    return this.#fault;
  }

  /** Whether it is blinking because an IDENTIFY asked it to. */
  get identifying(): boolean {
    return this.#clock.monotonic() < this.#identifyUntil;
  }

  /** @throws NamedError "Service Property Invalid" */
  read(where: Where): Value {
    return this.#values.get(addressKey(this.#described(where).address)) ?? null;
  }

  /**
   * Changes a value at the device itself, as by hand or by its sensor; a change is reported.
   * @throws NamedError "Service Property Invalid", "Property Value Invalid" (type; a range binds no sensor)
   */
  turn(where: Where, value: Value): void {
    const { address, description } = this.#described(where);
    assertValue(description, value);
    this.#become(address, value);
  }

  /**
   * Makes an event of a property that can only notify, such as a button's.
   * @throws NamedError "Service Property Invalid", "Property Value Invalid"
   */
  press(where: Where, value: Value): void {
    const { address, description } = this.#described(where);
    if (description.access.includes("read")) {
      throw new NamedError("Service Property Invalid", `${addressKey(address)} has a value: turn it instead.`);
    }
    assertValue(description, value);
    this.#tell(this.edgeId, address, value, true);
  }

  /** Misbehaves from now on; `{mode: "none"}` makes it well. */
  fail(fault: DeviceFault): void {
    this.#fault = fault;
  }

  /** A behaviour's deed: a number is fitted to what the property can be; what the device has no property for is left. */
  perform({ kind, where, value }: DeviceAction): void {
    const description = findProperty(this.services, where);
    if (!description) return;
    if (kind === "press") this.#tell(this.edgeId, where, value, true);
    else this.#become(where, description.type === "integer" && typeof value === "number" ? Math.round(value) : value);
  }

  /** Carries out a WRITE that the node has checked; gives the value as it now applies, or is aimed at. */
  apply(address: PropertyAddress, value: Value): Value {
    if (this.#fault.mode === "stuck") return this.read(address);
    this.#writes.push({ address, value, at: this.#clock.now() });
    if (this.#life.asked(address, value)) return value;
    this.#values.set(addressKey(address), value);
    this.#life.changed(address);
    return value;
  }

  /** Its life ends: nothing happens of itself any more. */
  [Symbol.dispose](): void {
    this.#life[Symbol.dispose]();
  }

  /** Blinks for so many seconds; 0 stops. */
  identify(seconds: number): void {
    this.#identifyUntil = this.#clock.monotonic() + seconds * 1000;
  }

  /** Sets a value, and tells of it when it is another. What is stuck stays as it is, for every caller. */
  #become(where: PropertyAddress, value: Value): void {
    const key = addressKey(where);
    if (this.#fault.mode === "stuck" || valuesEqual(this.#values.get(key) ?? null, value)) return;
    this.#values.set(key, value);
    if (findProperty(this.services, where)?.access.includes("notify")) this.#tell(this.edgeId, where, value, false);
    this.#life.changed(where);
  }

  #described(where: Where): { address: PropertyAddress; description: PropertyDescription } {
    const address = typeof where === "string" ? parsed(where) : where;
    const description = address && findProperty(this.services, address);
    if (!address || !description) {
      const name = typeof where === "string" ? where : addressKey(where);
      throw new NamedError("Service Property Invalid", `${this.edgeId} has no property ${name}.`);
    }
    return { address, description };
  }
}

function parsed(where: string): PropertyAddress | undefined {
  const selector = parseSelector(where);
  if (selector?.property === undefined) return undefined;
  return { service: selector.service, index: selector.index ?? "0", property: selector.property };
}

/** Room that a REPORT needs besides its value: the longest names and numbers, and the CRC. */
const REPORT_BYTES = 150;

/** @throws NamedError "Property Value Invalid" for another type or size, "Device Rejected" for what the wire cannot carry */
export function assertValue(description: PropertyDescription, value: Value): void {
  if (value !== null && !hasType(description, value)) {
    throw new NamedError("Property Value Invalid", `${description.property} is of type ${description.type}.`);
  }
  if (encodeMessage({ type: "VALUE", seq: 0, value }).length > HUB_FRAME_LIMIT - REPORT_BYTES) {
    throw new NamedError("Property Value Invalid", `${description.property} does not fit a frame.`);
  }
}
