/**
 * Stored facts about devices: whether they sleep, which device first answered at an address from the settings, and addresses of older
 * versions.
 */
import type { DriverStore, KeptAddresses, Thing } from "@porchlight/driver-kit";
import { CATALOGUE, isEdgeId, OPTIONAL_PROPERTIES } from "@porchlight/shared/model";
import { z } from "zod";

/** `indexes` contains addresses of entities that an older version stored. */
const kept = z.object({ sleeps: z.boolean(), indexes: z.record(z.string(), z.int().min(0).max(999)).optional() });
type Kept = z.output<typeof kept>;

const DEVICE = "device ";
const PLACE = "place ";

export class KeptDevices {
  readonly #store: DriverStore | undefined;
  readonly #failed: (failure: unknown) => void;
  readonly #devices = new Map<string, Kept>();
  readonly #places = new Map<string, string>();

  /**
   * @param store undefined: nothing is stored
   * @param failed called when the store fails
   */
  constructor(store: DriverStore | undefined, failed: (failure: unknown) => void) {
    this.#store = store;
    this.#failed = failed;
  }

  /** Must finish before any lookup. @throws what the store throws */
  async load(): Promise<void> {
    for (const [key, value] of (await this.#store?.all(DEVICE)) ?? []) {
      const read = kept.safeParse(jsonOf(value));
      if (read.success) this.#devices.set(key.slice(DEVICE.length), read.data);
    }
    for (const [key, value] of (await this.#store?.all(PLACE)) ?? []) {
      const edgeId = Buffer.from(value).toString();
      if (isEdgeId(edgeId)) this.#places.set(key.slice(PLACE.length), edgeId);
    }
  }

  /** Indexes that an older version stored; undefined when there are none, or they have been converted. */
  olderIndexes(edgeId: string): Kept["indexes"] {
    return this.#devices.get(edgeId)?.indexes;
  }

  sleeps(edgeId: string): boolean {
    return this.#devices.get(edgeId)?.sleeps ?? false;
  }

  /** Stores whether the device sleeps, and deletes the indexes of an older version. */
  keep(edgeId: string, sleeps: boolean): void {
    const now = { sleeps };
    const text = JSON.stringify(now);
    if (JSON.stringify(this.#devices.get(edgeId)) === text) return;
    this.#devices.set(edgeId, now);
    this.#set(`${DEVICE}${edgeId}`, text);
  }

  /** The first device that answered at a place; records this one when there was none. */
  firstAt(place: string, edgeId: string): string {
    const first = this.#places.get(place);
    if (first !== undefined) return first;
    this.#places.set(place, edgeId);
    this.#set(`${PLACE}${place}`, edgeId);
    return edgeId;
  }

  /** Undefined when no device has answered there. */
  knownAt(place: string): string | undefined {
    return this.#places.get(place);
  }

  #set(key: string, text: string): void {
    this.#store?.set(key, Buffer.from(text)).catch(this.#failed);
  }
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return undefined;
  }
}

/** Services that an entity of each type can have, besides those of its own name. */
const SERVICES: Readonly<Record<string, readonly string[]>> = {
  switch: ["Switch"],
  light: ["Switch", "LightLevel", "LightColor", "LightTemperature"],
  fan: ["Fan"],
  cover: ["Cover"],
  lock: ["Lock"],
  valve: ["Valve"],
  climate: ["Thermostat", "Temperature", "Humidity"],
  button: ["Identify"],
  event: ["Button"],
  sensor: ["Temperature", "Humidity", "Pressure", "Illuminance", "AirQuality", "Battery", "Electricity", "Signal"],
  binary_sensor: ["Motion", "Occupancy", "Contact", "WaterLeak", "Smoke", "CarbonMonoxide", "Tamper", "Battery"],
};

/**
 * Addresses of entities as an older version stored them: one index for each current or former entity of a device, by type and name. Read
 * once, then stored in the driver kit's form.
 * @param indexes by `TYPE PART NAME`
 * @param things of the device at present; an entity that exists only in `indexes` may return, so every address that it can have is kept
 * for it
 */
export function addressesOfIndexes(indexes: Readonly<Record<string, number>>, things: readonly Thing[]): KeptAddresses {
  const present = new Map(things.map((thing) => [thing.id, thing.properties] as const));
  const of = (id: string) =>
    (present.get(id) ?? possible(id.split(" ")[0] ?? "")).map(
      ({ service, property }) => `${service}:${indexes[id]}.${property}`,
    );
  const absent = Object.keys(indexes).filter((id) => !present.has(id));
  const there = Object.keys(indexes).filter((id) => present.has(id));
  // Present entities come last, so that they win an address that an absent one could also have.
  return Object.fromEntries([...absent, ...there].map((id) => [id, of(id)]));
}

function possible(type: string): Thing["properties"] {
  return (Object.hasOwn(SERVICES, type) ? (SERVICES[type] ?? []) : []).flatMap((service) =>
    [...(CATALOGUE.get(service) ?? []), ...(OPTIONAL_PROPERTIES.get(service) ?? [])].map(({ property }) => ({
      service,
      property,
    })),
  );
}
