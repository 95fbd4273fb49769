/** One simulated device: its values, what is done to it by hand, and every write that it has carried out. */
import { type Clock, NamedError } from "@porchlight/shared/kernel";
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
import type { BehavingDevice } from "./behaviour.ts";
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

export class SimulatedDevice implements BehavingDevice {
  readonly edgeId: string;
  readonly services: DeviceDescription;
  readonly about: DeviceAbout;
  readonly clock: Clock;
  readonly #definition: DeviceDefinition;
  readonly #tell: Tell;
  readonly #values = new Map<string, Value>();
  readonly #writes: AppliedWrite[] = [];
  #fault: DeviceFault = NO_FAULT;
  #identifyUntil = 0;

  constructor(definition: DeviceDefinition, clock: Clock, tell: Tell) {
    this.edgeId = definition.edgeId;
    this.services = definition.services;
    this.about = definition.about ?? {};
    this.clock = clock;
    this.#definition = definition;
    this.#tell = tell;
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
    return this.clock.monotonic() < this.#identifyUntil;
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
    this.become(address, value);
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

  become(where: PropertyAddress, value: Value): void {
    const key = addressKey(where);
    if (valuesEqual(this.#values.get(key) ?? null, value)) return;
    this.#values.set(key, value);
    if (findProperty(this.services, where)?.access.includes("notify")) this.#tell(this.edgeId, where, value, false);
    this.#definition.behaviour?.changed?.(this, where);
  }

  /** Carries out a WRITE that the node has checked; gives the value as it now applies, or is aimed at. */
  apply(address: PropertyAddress, value: Value): Value {
    this.#writes.push({ address, value, at: this.clock.now() });
    const { behaviour } = this.#definition;
    if (behaviour?.takesOver?.(this, address, value)) return value;
    this.#values.set(addressKey(address), value);
    behaviour?.changed?.(this, address);
    return value;
  }

  /** Blinks for so many seconds; 0 stops. */
  identify(seconds: number): void {
    this.#identifyUntil = this.clock.monotonic() + seconds * 1000;
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
