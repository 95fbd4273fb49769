/** What the host was told of one device: each value once for each change, each event as it happens. */
import type { Clock } from "@porchlight/shared/kernel";
import { addressKey, type PropertyAddress, type Value, valuesEqual } from "@porchlight/shared/model";
import type { DriverHost } from "../../kit/index.ts";
import { isHeld } from "../classes/controls.ts";

export interface ToldValuesDeps {
  readonly clock: Clock;
  readonly host: Pick<DriverHost, "pushed" | "learned">;
  readonly counters: { lostEvents: number };
}

/** While a button is held, its device repeats that at least this often, ms. */
const HELD_MS = 60_000;

export class ToldValues {
  readonly #edgeId: string;
  readonly #deps: ToldValuesDeps;
  /** By the property's key. It outlives an absence of the device. */
  readonly #values = new Map<string, Value>();
  /** When a button was last said to be held, by its key. */
  readonly #held = new Map<string, number>();

  constructor(edgeId: string, deps: ToldValuesDeps) {
    this.#edgeId = edgeId;
    this.#deps = deps;
  }

  isKnown(address: PropertyAddress, value: Value): boolean {
    const before = this.#values.get(addressKey(address));
    return before !== undefined && valuesEqual(before, value);
  }

  /** Another value was told before. */
  isOther(address: PropertyAddress, value: Value): boolean {
    return this.#values.has(addressKey(address)) && !this.isKnown(address, value);
  }

  /** The host knows it otherwise: as the result of a read or a write. */
  know(address: PropertyAddress, value: Value): void {
    this.#values.set(addressKey(address), value);
  }

  /** The driver has read it. @param isRetained the server has it from an unknown time */
  learn(address: PropertyAddress, value: Value, isRetained: boolean): void {
    this.know(address, value);
    const observation = { device: this.#edgeId, ...address, value, ...(isRetained && { isRetained }) };
    // What cannot be stored is raised by the host as not known.
    this.#deps.host.learned(observation).catch(() => undefined);
  }

  /** The device has told it by itself. */
  push(address: PropertyAddress, value: Value): void {
    this.know(address, value);
    void this.#deps.host.pushed({ device: this.#edgeId, ...address, value });
  }

  /** Something has happened. A button that is held is told once. */
  happened(address: PropertyAddress, value: Value): void {
    const key = addressKey(address);
    const now = this.#deps.clock.monotonic();
    const heldAt = this.#held.get(key);
    if (isHeld(value)) this.#held.set(key, now);
    else this.#held.delete(key);
    if (isHeld(value) && heldAt !== undefined && now - heldAt < HELD_MS) return;
    void this.#pushEvent({ device: this.#edgeId, ...address, value });
  }

  async #pushEvent(observation: Parameters<DriverHost["pushed"]>[0]): Promise<void> {
    if ((await this.#deps.host.pushed(observation)) === "busy") this.#deps.counters.lostEvents += 1;
  }
}
