/**
 * The stored facts about a broker's devices: the edgeId under which each was first announced, and the addresses of its things. A device
 * that is not admitted leaves nothing in the store.
 */
import {
  DeviceAddresses,
  type DriverStore,
  KeptIdentities,
  type PlacedThing,
  placeThings,
  type Thing,
} from "@porchlight/driver-kit";
import type { MqttDevice } from "./mqtt-device.ts";

/** A device, with the edgeId that its dialect derives. */
type Identified = Pick<MqttDevice, "edgeId" | "identity">;

/**
 * Assigns addresses to the things of a dialect's devices. Several dialects can describe one device, each with its own IDs for the same
 * things: how the things of two dialects correspond is not known.
 */
export interface ThingAddresses {
  /** IDs of the things that the device has or had, as far as they are stored. */
  idsOf(dialect: string, device: Identified): readonly string[];
  /** The device now uses another ID for the same thing. */
  rename(dialect: string, device: Identified, from: string, to: string): void;
  /** Addresses that the device's things have had in other dialects: this dialect gives none of them to another thing. */
  foreignTo(dialect: string, device: Identified): readonly string[];
  /** A number that changes when the result of `foreignTo` for the dialect's devices may have changed. */
  foreignChanges(dialect: string): number;
  /** Must be called again, with all things, whenever the description of the device changes, or the result of `foreignTo` for it. */
  place<T extends Thing>(dialect: string, device: Identified, things: readonly T[]): Placement<T>;
}

interface Placement<T extends Thing> {
  readonly placed: readonly PlacedThing<T>[];
  /** For `MqttDevice.keepAddresses`. */
  readonly keep: () => void;
}

export class KeptThings implements ThingAddresses {
  readonly #identities: KeptIdentities;
  readonly #addresses: DeviceAddresses;
  readonly #failed: (failure: unknown) => void;
  /** Prefixes of the address keys, without the edgeId: each dialect, with the kind of things where it has several. */
  readonly #kinds = new Set<string>();
  /** Number of changes of each dialect's addresses. */
  readonly #changes = new Map<string, number>();

  /**
   * @param store undefined: nothing outlives the driver
   * @param failed called with the store's errors
   */
  constructor(store: DriverStore | undefined, failed: (failure: unknown) => void = () => undefined) {
    this.#identities = new KeptIdentities(store);
    this.#addresses = new DeviceAddresses(store, failed);
    this.#failed = failed;
  }

  /** Must be awaited before a device is described. @throws the store's errors */
  async load(): Promise<void> {
    await this.#identities.load();
    await this.#addresses.load();
    for (const key of this.#addresses.devices) this.#kinds.add(key.slice(0, key.lastIndexOf(" ")));
  }

  /** The edgeId of the first announcement; the described one if there was none. */
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
    const foreign = this.foreignTo(dialect, device);
    const place = () => {
      const before = this.#addresses.of(key);
      const placed = this.#addresses.place(key, things, foreign);
      this.#kinds.add(dialect);
      const own = dialectOf(dialect);
      if (this.#addresses.of(key) !== before) this.#changes.set(own, (this.#changes.get(own) ?? 0) + 1);
      return placed;
    };
    if (this.#addresses.has(key)) return { placed: place(), keep: () => undefined };
    // A device that the hub does not have yet: its addresses are stored when the hub admits it.
    return { placed: placeThings(things, {}, foreign).placed, keep: place };
  }

  foreignTo(dialect: string, device: Identified): readonly string[] {
    const others = [...this.#kinds].filter((kind) => dialectOf(kind) !== dialectOf(dialect));
    return others.flatMap((kind) => Object.values(this.#addresses.of(this.#key(kind, device)) ?? {}).flat());
  }

  foreignChanges(dialect: string): number {
    const others = [...this.#changes].filter(([each]) => each !== dialectOf(dialect));
    return others.reduce((sum, [, changes]) => sum + changes, 0);
  }

  /** The device is admitted: stores its addresses before the device can be announced. */
  keepAddresses({ keepAddresses }: MqttDevice): void {
    keepAddresses?.();
  }

  /** The hub has accepted the device. */
  keepIdentity({ identity, edgeId }: MqttDevice): void {
    if (identity !== undefined) this.#identities.keep(identity, edgeId).catch(this.#failed);
  }

  /** Each dialect has its own IDs for the things of a device. */
  #key(dialect: string, device: Identified): string {
    return `${dialect} ${this.edgeIdOf(device)}`;
  }
}

/** The first word names the dialect, the rest the kind of things. */
function dialectOf(kind: string): string {
  return kind.split(" ")[0] ?? "";
}

/** Assigns addresses to all things of one kind of one device. */
export type PlaceThings = <T extends Thing>(things: readonly T[]) => readonly PlacedThing<T>[];

export class DevicePlaces {
  readonly #addresses: ThingAddresses;
  readonly #dialect: string;
  readonly #edgeId: string;
  readonly #keeping: (() => void)[] = [];

  constructor(addresses: ThingAddresses, dialect: string, edgeId: string) {
    this.#addresses = addresses;
    this.#dialect = dialect;
    this.#edgeId = edgeId;
  }

  of(kind: string): PlaceThings {
    return (things) => {
      if (things.length === 0) return [];
      const { placed, keep } = this.#addresses.place(`${this.#dialect} ${kind}`, { edgeId: this.#edgeId }, things);
      this.#keeping.push(keep);
      return placed;
    };
  }

  /** For `MqttDevice.keepAddresses`. */
  keep(): void {
    for (const keep of this.#keeping) keep();
  }
}
