/**
 * Stores the addresses of each device's things in the driver's store, so that they are the same after a restart. `addresses.ts` decides
 * the addresses.
 */
import { z } from "zod";
import { type KeptAddresses, type PlacedThing, placeThings, type Thing } from "./addresses.ts";
import type { DriverStore } from "./driver-store.ts";

const PREFIX = "addresses ";
/** Room for as many devices as a hub may have, each with four kinds of things, and as many again that have left. */
const MOST_DEVICES = 8000;
const keptAddresses = z.record(z.string(), z.array(z.string()));

export class DeviceAddresses {
  readonly #store: DriverStore | undefined;
  readonly #failed: (failure: unknown) => void;
  readonly #devices = new Map<string, KeptAddresses>();
  /** Devices that were described since the start. */
  readonly #present = new Set<string>();

  /**
   * @param store undefined: nothing outlives the driver
   * @param failed called with an error of the store, such as `DriverStoreFull`: the addresses then hold only until the driver ends
   */
  constructor(store: DriverStore | undefined, failed: (failure: unknown) => void) {
    this.#store = store;
    this.#failed = failed;
  }

  /** Must be awaited before `place` is called. @throws the store's errors */
  async load(): Promise<void> {
    for (const [key, value] of (await this.#store?.all(PREFIX)) ?? []) {
      const read = keptAddresses.safeParse(jsonOf(value));
      if (read.success) this.#devices.set(key.slice(PREFIX.length), read.data);
    }
  }

  /** Whether addresses of that device are stored. */
  has(device: string): boolean {
    return this.#devices.has(device);
  }

  /** All devices that have stored addresses. */
  get devices(): readonly string[] {
    return [...this.#devices.keys()];
  }

  /** The stored addresses of the device: a new object when they change. */
  of(device: string): KeptAddresses | undefined {
    return this.#devices.get(device);
  }

  /** IDs of the things that the device has or had. */
  idsOf(device: string): readonly string[] {
    return Object.keys(this.#devices.get(device) ?? {});
  }

  /** The device now uses another ID for the same thing: the thing keeps its addresses. */
  rename(device: string, from: string, to: string): void {
    const { [from]: addresses, ...others } = this.#devices.get(device) ?? {};
    if (addresses) this.#keep(device, { ...others, [to]: addresses });
  }

  /** Imports addresses that an older version of a driver stored in another form, unless the device already has some. */
  adopt(device: string, kept: KeptAddresses): void {
    if (!this.#devices.has(device)) this.#keep(device, kept);
  }

  /**
   * Assigns addresses to the things of a device, and stores them. Call it before the device is announced: the hub then stores the
   * addresses before the device.
   * @param device the device's permanent identity: its edgeId
   * @param foreign see `placeThings`
   */
  place<T extends Thing>(
    device: string,
    things: readonly T[],
    foreign: readonly string[] = [],
  ): readonly PlacedThing<T>[] {
    const before = this.#devices.get(device) ?? {};
    const { placed, kept } = placeThings(things, before, foreign);
    if (JSON.stringify(kept) !== JSON.stringify(before)) {
      // A thing whose address could not be stored gets none: another thing could have it tomorrow.
      if (!this.#devices.has(device) && !this.#hasRoom()) return [];
      this.#keep(device, kept);
    }
    this.#present.add(device);
    return placed;
  }

  /** Makes room by forgetting a device that was not described since the start. */
  #hasRoom(): boolean {
    if (this.#devices.size < MOST_DEVICES) return true;
    const gone = this.devices.find((device) => !this.#present.has(device));
    if (gone !== undefined) this.forget(gone);
    else
      this.#failed(
        new Error(`The addresses of ${MOST_DEVICES} devices are kept; there is no room for another device.`),
      );
    return gone !== undefined;
  }

  #keep(device: string, kept: KeptAddresses): void {
    this.#devices.set(device, kept);
    this.#store?.set(`${PREFIX}${device}`, Buffer.from(JSON.stringify(kept))).catch(this.#failed);
  }

  /** Whether the thing has ever had an address. */
  hasThing(device: string, id: string): boolean {
    return Object.hasOwn(this.#devices.get(device) ?? {}, id);
  }

  /** The device has been removed permanently: a device that later has the same name is a different one. */
  forget(device: string): void {
    this.#present.delete(device);
    if (this.#devices.delete(device)) this.#store?.set(`${PREFIX}${device}`, undefined).catch(this.#failed);
  }
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return undefined;
  }
}
