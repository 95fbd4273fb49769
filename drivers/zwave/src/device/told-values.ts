/** What the host was told of one device: which values, whether the device itself has said them, and each event as it happens. */
import type { DriverHost, LiveDevice } from "@porchlight/driver-kit";
import type { Clock } from "@porchlight/shared/kernel";
import { addressKey, type PropertyAddress, type Value, valuesEqual } from "@porchlight/shared/model";
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
  readonly #values = new Map<string, { readonly value: Value; readonly isRetained: boolean }>();
  /** When a button was last said to be held, by its key. */
  readonly #held = new Map<string, number>();

  constructor(edgeId: string, deps: ToldValuesDeps) {
    this.#edgeId = edgeId;
    this.#deps = deps;
  }

  has(address: PropertyAddress): boolean {
    return this.#values.has(addressKey(address));
  }

  /** The host has this value of the device itself. */
  isKnown(address: PropertyAddress, value: Value): boolean {
    const before = this.#values.get(addressKey(address));
    return before !== undefined && !before.isRetained && valuesEqual(before.value, value);
  }

  /** Another value was told before. */
  isOther(address: PropertyAddress, value: Value): boolean {
    const before = this.#values.get(addressKey(address));
    return before !== undefined && !valuesEqual(before.value, value);
  }

  /** The host knows it otherwise: as the result of a read or a write. */
  know(address: PropertyAddress, value: Value): void {
    this.#values.set(addressKey(address), { value, isRetained: false });
  }

  /** The driver has read it. @param isRetained the server has it from an unknown time */
  learn(address: PropertyAddress, value: Value, isRetained: boolean): void {
    this.#values.set(addressKey(address), { value, isRetained });
    const observation = { device: this.#edgeId, ...address, value, ...(isRetained && { isRetained }) };
    // What cannot be stored is raised by the host as not known.
    this.#deps.host.learned(observation).catch(() => undefined);
  }

  /** The device has told it by itself, or tells it again. */
  push(address: PropertyAddress, value: Value): void {
    this.know(address, value);
    void this.#deps.host.pushed({ device: this.#edgeId, ...address, value });
  }

  /** What was told of properties that are not described any more is void: what comes back is told anew. */
  describe({ description }: LiveDevice): void {
    const keys = new Set(
      description.flatMap(({ service, index, properties }) =>
        properties.map(({ property }) => addressKey({ service, index, property })),
      ),
    );
    for (const key of [...this.#values.keys()]) if (!keys.has(key)) this.#values.delete(key);
  }

  /** Nothing that was told is true any more: what is heard next is of its own age. */
  clear(): void {
    this.#values.clear();
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
