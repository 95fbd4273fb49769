/** What the host has of one device: the values, whether they came from the device itself, and each event as it happens. */
import type { DriverHost, LiveDevice } from "@porchlight/driver-kit";
import type { Clock } from "@porchlight/shared/kernel";
import { addressKey, type PropertyAddress, type Value, valuesEqual } from "@porchlight/shared/model";
import { isHeld } from "./classes/controls.ts";

export interface HostValuesDeps {
  readonly clock: Clock;
  readonly host: Pick<DriverHost, "pushed" | "learned">;
  readonly counters: { lostEvents: number };
}

/** A device repeats a held button at least this often, ms. */
const HELD_MS = 60_000;

export class HostValues {
  readonly #edgeId: string;
  readonly #deps: HostValuesDeps;
  /** By the property's key; survives an absence of the device. */
  readonly #values = new Map<string, { readonly value: Value; readonly isRetained: boolean }>();
  /** Time of a button's last "held" report, by its key. */
  readonly #held = new Map<string, number>();

  constructor(edgeId: string, deps: HostValuesDeps) {
    this.#edgeId = edgeId;
    this.#deps = deps;
  }

  has(address: PropertyAddress): boolean {
    return this.#values.has(addressKey(address));
  }

  /** Whether the host has this value from the device itself. */
  isKnown(address: PropertyAddress, value: Value): boolean {
    const before = this.#values.get(addressKey(address));
    return before !== undefined && !before.isRetained && valuesEqual(before.value, value);
  }

  /** Whether the host has a different value. */
  isOther(address: PropertyAddress, value: Value): boolean {
    const before = this.#values.get(addressKey(address));
    return before !== undefined && !valuesEqual(before.value, value);
  }

  /** The host already has the value, as the result of a read or a write. */
  know(address: PropertyAddress, value: Value): void {
    this.#values.set(addressKey(address), { value, isRetained: false });
  }

  /** Reports a value that the driver has read. @param isRetained the server has the value from an unknown time */
  learn(address: PropertyAddress, value: Value, isRetained: boolean): void {
    this.#values.set(addressKey(address), { value, isRetained });
    const observation = { device: this.#edgeId, ...address, value, ...(isRetained && { isRetained }) };
    // When the store fails, the host marks the value as unknown.
    this.#deps.host.learned(observation).catch(() => undefined);
  }

  /** Reports a value that the device sent on its own, also an equal one. */
  push(address: PropertyAddress, value: Value): void {
    this.know(address, value);
    void this.#deps.host.pushed({ device: this.#edgeId, ...address, value });
  }

  /** Forgets values of properties that are no longer described, so that they are reported again when they return. */
  describe({ description }: LiveDevice): void {
    const keys = new Set(
      description.flatMap(({ service, index, properties }) =>
        properties.map(({ property }) => addressKey({ service, index, property })),
      ),
    );
    for (const key of [...this.#values.keys()]) if (!keys.has(key)) this.#values.delete(key);
  }

  /** Forgets all values: the next report counts as new. */
  clear(): void {
    this.#values.clear();
  }

  /** Reports an event. A held button is reported once. */
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
