/** One simulated device: its values, actions by hand, and every WRITE that it has executed. */
import { type Clock, NamedError, type Random, type Timer } from "@porchlight/shared/kernel";
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
import { type DeviceFault, NO_FAULT } from "../device-fault.ts";
import type { DeviceDefinition } from "./definition.ts";
import type { Behaviour, DeviceAction, DeviceView, Happening } from "./fade.ts";

/** A property: its address, or `SERVICE[:INDEX].PROPERTY`. */
type Where = PropertyAddress | string;

/** An executed WRITE. */
interface AppliedWrite {
  readonly address: PropertyAddress;
  readonly value: Value;
  /** Wall-clock ms. */
  readonly at: number;
}

/** Called for every change of a value that has another cause than a WRITE of that property, and for every event. */
export type Tell = (edgeId: string, address: PropertyAddress, value: Value, event: boolean) => void;

interface DeviceDeps {
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

  /** Starts its life at once. */
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

  /** Every WRITE executed since the start, oldest first. Repetitions are not executed, and so not counted. */
  get writes(): readonly AppliedWrite[] {
    return this.#writes;
  }

  get fault(): DeviceFault {
    return this.#fault;
  }

  /** Whether it blinks because of an IDENTIFY. */
  get identifying(): boolean {
    return this.#clock.monotonic() < this.#identifyUntil;
  }

  /** @throws NamedError "Service Property Invalid" */
  read(where: Where): Value {
    return this.#values.get(addressKey(this.#described(where).address)) ?? null;
  }

  /**
   * Changes a value at the device itself, by hand or by its sensor; a change is reported.
   * @throws NamedError "Service Property Invalid", "Property Value Invalid" (type; a sensor is not bound by a range)
   */
  turn(where: Where, value: Value): void {
    const { address, description } = this.#described(where);
    assertValue(description, value);
    this.#become(address, value);
  }

  /**
   * Emits an event of a property that can only notify, such as a button's.
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

  /** Sets a fault; `{mode: "none"}` ends it. */
  fail(fault: DeviceFault): void {
    this.#fault = fault;
  }

  /** Executes an action of a behaviour: rounds a number to a valid value, and ignores a property that the device does not have. */
  perform({ kind, where, value }: DeviceAction): void {
    const description = findProperty(this.services, where);
    if (!description) return;
    if (kind === "press") this.#tell(this.edgeId, where, value, true);
    else this.#become(where, description.type === "integer" && typeof value === "number" ? Math.round(value) : value);
  }

  /** Executes a WRITE that the node has validated; returns the value that now applies, or the target value. */
  apply(address: PropertyAddress, value: Value): Value {
    if (this.#fault.mode === "stuck") return this.read(address);
    this.#writes.push({ address, value, at: this.#clock.now() });
    if (this.#life.asked(address, value)) return value;
    this.#values.set(addressKey(address), value);
    this.#life.changed(address);
    return value;
  }

  /** Ends its life: its behaviours stop. */
  [Symbol.dispose](): void {
    this.#life[Symbol.dispose]();
  }

  /** Blinks for this number of seconds; 0 stops. */
  identify(seconds: number): void {
    this.#identifyUntil = this.#clock.monotonic() + seconds * 1000;
  }

  /** Sets a value and reports it if it changed. A stuck property keeps its value against every caller. */
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

/** Bytes of a REPORT besides its value: the longest names and numbers, and the CRC. */
const REPORT_BYTES = 150;

/** @throws NamedError "Property Value Invalid" for another type or size, "Device Rejected" for a value that the wire cannot carry */
export function assertValue(description: PropertyDescription, value: Value): void {
  if (value !== null && !hasType(description, value)) {
    throw new NamedError("Property Value Invalid", `${description.property} is of type ${description.type}.`);
  }
  if (encodeMessage({ type: "VALUE", seq: 0, value }).length > HUB_FRAME_LIMIT - REPORT_BYTES) {
    throw new NamedError("Property Value Invalid", `${description.property} does not fit a frame.`);
  }
}

/** The part of a device that behaviours use. */
interface LivingDevice {
  read(where: PropertyAddress): Value;
  /** Performs the action; its consequences return as `changed`. */
  perform(deed: DeviceAction): void;
}

interface Running {
  behaviour: Behaviour;
  timer: Timer | undefined;
}

/** Behaviours that react to each other without end would hang the process: beyond this depth a change no longer reaches them. */
const MAX_DEPTH = 16;

class DeviceLife implements Disposable {
  readonly #clock: Clock;
  readonly #device: LivingDevice;
  readonly #view: DeviceView;
  readonly #behaviours: Running[];
  /** The behaviour whose actions are being performed, and the depth of nested consequences. */
  #acting: Running | undefined;
  #depth = 0;
  #over = false;

  constructor(behaviours: readonly Behaviour[], clock: Clock, random: Random, device: LivingDevice) {
    this.#clock = clock;
    this.#device = device;
    this.#behaviours = behaviours.map((behaviour) => ({ behaviour, timer: undefined }));
    this.#view = {
      get now() {
        return clock.monotonic();
      },
      random,
      read: (where) => device.read(where),
    };
  }

  /** The device has its initial values. */
  begin(): void {
    for (const one of this.#behaviours) this.#tell(one, { kind: "begun" });
  }

  /** Handles a WRITE; true when a behaviour executes it gradually. */
  asked(where: PropertyAddress, aim: Value): boolean {
    return this.#behaviours.some((one) => this.#tell(one, { kind: "asked", where, aim }));
  }

  changed(where: PropertyAddress): void {
    if (this.#depth >= MAX_DEPTH) return;
    const by = this.#acting;
    this.#depth++;
    for (const one of this.#behaviours) if (one !== by) this.#tell(one, { kind: "changed", where });
    this.#depth--;
  }

  [Symbol.dispose](): void {
    this.#over = true;
    for (const { timer } of this.#behaviours) timer?.cancel();
  }

  #tell(one: Running, happening: Happening): boolean {
    if (this.#over) return false;
    const { next, actions = [], dueIn, takesOver = false } = one.behaviour(happening, this.#view);
    one.behaviour = next;
    if (dueIn !== undefined) {
      one.timer?.cancel();
      one.timer = this.#clock.timer("behaviour", dueIn, () => this.#tell(one, { kind: "due" }));
    }
    const before = this.#acting;
    this.#acting = one;
    for (const deed of actions) this.#device.perform(deed);
    this.#acting = before;
    return takesOver;
  }
}
