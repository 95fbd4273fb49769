/**
 * The values of one batch of a hub's history. A property is read when the batch first names it and written once, at the end,
 * with what it came to: a hub that was away tells of the same few properties again and again. Each change is an event all the same.
 */

import type { DescribedProperty } from "@porchlight/shared/model";
import type { ChangeCause, DevicePlace, StoredValue } from "@porchlight/shared/rest";
import type { Transaction } from "../../store/index.ts";
import type { LearnedValue } from "./value-decision.ts";
import { learnValue, readValue, type ValueStoreDeps, writeValue } from "./value-store.ts";

/** A property of which the batch tells. */
export interface Entry {
  readonly place: DevicePlace;
  readonly property: DescribedProperty;
  stored: StoredValue | undefined;
  isNew: boolean;
}

export class ValueBatch {
  readonly #tx: Transaction;
  readonly #deps: ValueStoreDeps;
  readonly #entries = new Map<string, Promise<Entry>>();

  constructor(tx: Transaction, deps: ValueStoreDeps) {
    this.#tx = tx;
    this.#deps = deps;
  }

  /** The property with what is stored of it; those that are asked for at once are read at once. */
  entry(place: DevicePlace, property: DescribedProperty): Promise<Entry> {
    const key = `${place.deviceId} ${property.key}`;
    let entry = this.#entries.get(key);
    if (!entry) {
      entry = readValue(this.#tx, place, property).then((stored) => ({ place, property, stored, isNew: false }));
      this.#entries.set(key, entry);
    }
    return entry;
  }

  /** Applies one value if its number lets it. Nothing is written before {@link write}. */
  learn(entry: Entry, learned: LearnedValue, cause: ChangeCause): void {
    const { place, property } = entry;
    const { stored, isNew } = learnValue(this.#tx, this.#deps, place, property, entry.stored, learned, cause);
    if (!isNew) return;
    entry.stored = stored;
    entry.isNew = true;
  }

  /** Writes what has changed, in the transaction of the batch. */
  async write(): Promise<void> {
    const entries = await Promise.all(this.#entries.values());
    const writes = entries.map(({ place, property, stored, isNew }) =>
      isNew && stored ? writeValue(this.#tx, this.#deps, place, property, stored) : undefined,
    );
    await Promise.all(writes);
  }
}
