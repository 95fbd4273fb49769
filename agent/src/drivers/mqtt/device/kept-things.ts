/**
 * What the driver of a broker keeps of its devices in its store: the edgeId under which each was first announced, and the addresses of its
 * things. A device that is not admitted leaves nothing in the store.
 */
import {
  DeviceAddresses,
  type DriverStore,
  KeptIdentities,
  type PlacedThing,
  placeThings,
  type Thing,
} from "../../kit/index.ts";
import type { MqttDevice } from "./mqtt-device.ts";

/** A device, by the edgeId that its dialect gives it. */
type Identified = Pick<MqttDevice, "edgeId" | "identity">;

/** What a dialect gives its devices' things their addresses with. */
export interface ThingAddresses {
  /** IDs of the things that the device has or had, as far as they are kept. */
  idsOf(dialect: string, device: Identified): readonly string[];
  /** The device has another ID for the same thing from now on. */
  rename(dialect: string, device: Identified, from: string, to: string): void;
  /** Must be called again, with all things, whenever the device is described otherwise. */
  place<T extends Thing>(dialect: string, device: Identified, things: readonly T[]): Placement<T>;
}

export interface Placement<T extends Thing> {
  readonly placed: readonly PlacedThing<T>[];
  /** For `MqttDevice.keepAddresses`. */
  readonly keep: () => void;
}

export class KeptThings implements ThingAddresses {
  readonly #identities: KeptIdentities;
  readonly #addresses: DeviceAddresses;
  readonly #failed: (failure: unknown) => void;

  /**
   * @param store undefined: nothing outlives the driver
   * @param failed called with what the store throws
   */
  constructor(store: DriverStore | undefined, failed: (failure: unknown) => void = () => undefined) {
    this.#identities = new KeptIdentities(store);
    this.#addresses = new DeviceAddresses(store, failed);
    this.#failed = failed;
  }

  /** Must be awaited before a device is described. @throws what the store throws */
  async load(): Promise<void> {
    await this.#identities.load();
    await this.#addresses.load();
  }

  /** As the device was first announced; as it is described now, when it never was. */
  edgeIdOf({ edgeId, identity }: Identified): string {
    return identity === undefined ? edgeId : this.#identities.edgeIdOf(identity, edgeId);
  }

  idsOf(dialect: string, device: Identified): readonly string[] {
    return this.#addresses.idsOf(this.#key(dialect, device));
  }

  rename(dialect: string, device: Identified, from: string, to: string): void {
    this.#addresses.rename(this.#key(dialect, device), from, to);
  }

  place<T extends Thing>(dialect: string, device: Identified, things: readonly T[]): Placement<T> {
    const key = this.#key(dialect, device);
    const place = () => this.#addresses.place(key, things);
    if (this.#addresses.has(key)) return { placed: place(), keep: () => undefined };
    // A device that the hub does not have yet: its addresses are kept when the hub gets it.
    return { placed: placeThings(things, {}).placed, keep: place };
  }

  /** The device is admitted: keeps its addresses, before the device can be announced. */
  keepAddresses({ keepAddresses }: MqttDevice): void {
    keepAddresses?.();
  }

  /** The hub has the device. */
  keepIdentity({ identity, edgeId }: MqttDevice): void {
    if (identity !== undefined) this.#identities.keep(identity, edgeId).catch(this.#failed);
  }

  /** Each dialect has its own IDs for the things of a device. */
  #key(dialect: string, device: Identified): string {
    return `${dialect} ${this.edgeIdOf(device)}`;
  }
}
