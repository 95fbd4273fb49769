/** Stored facts about devices: whether they sleep, and which device first answered at an address from the settings. */
import type { DriverStore } from "@porchlight/driver-kit";
import { isEdgeId } from "@porchlight/shared/model";
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
