/** A device of a board under test, as a test plays with it: properties by their words, and what it was told. */
import { addressKey, type Value } from "@porchlight/shared/model";
import type { SimulatedDevice } from "../simulator/devices/simulated-device.ts";

/** A WRITE that was carried out. */
export interface TestWrite {
  /** `SERVICE:INDEX.PROPERTY` */
  readonly property: string;
  readonly value: Value;
  /** Wall-clock ms. */
  readonly at: number;
}

export class TestDevice {
  readonly #device: SimulatedDevice;
  readonly #fail: (words: string) => void;

  constructor(device: SimulatedDevice, fail: (words: string) => void) {
    this.#device = device;
    this.#fail = fail;
  }

  get edgeId(): string {
    return this.#device.edgeId;
  }

  /** Every WRITE that was carried out, oldest first; a repetition (R2) is not carried out again. */
  get writes(): readonly TestWrite[] {
    return this.#device.writes.map(({ address, value, at }) => ({ property: addressKey(address), value, at }));
  }

  /** Whether it blinks because an IDENTIFY asked it to. */
  get isIdentifying(): boolean {
    return this.#device.identifying;
  }

  /** @param property `SERVICE[:INDEX].PROPERTY` @returns null for what has no value @throws NamedError "Service Property Invalid" */
  get(property: string): Value {
    return this.#device.read(property);
  }

  /** Changes a value at the device itself, as by hand or by its sensor; a change is reported. @throws NamedError "Service Property Invalid", "Property Value Invalid" */
  set(property: string, value: Value): void {
    this.#device.turn(property, value);
  }

  /** Makes an event, as a press of a button. @throws NamedError "Service Property Invalid", "Property Value Invalid" */
  press(property: string, value: Value): void {
    this.#device.press(property, value);
  }

  /** Makes it misbehave: `silent`, `mute`, `slow 300`, `stale 300`, `stuck`, `refuse`, `broken`, `wrong`, `busy 3`, `forget 1`; `none` ends it. @throws Error */
  fault(words: string): void {
    this.#fail(words);
  }
}
