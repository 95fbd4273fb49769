/**
 * The values of one batch of a hub's history. A property is read when the batch first names it and written once, at the end,
 * with what it came to: a hub that was away tells of the same few properties again and again. Each change is an event all the same.
 */

import type { DescribedProperty } from "@porchlight/shared/model";
import type { ChangeCause, DevicePlace, StoredValue } from "@porchlight/shared/rest";
import type { Transaction } from "../store/index.ts";
import type { LearnedValue } from "./value-decision.ts";
import { learnValue, readValue, type ValueStoreDeps, writeValue } from "./value-store.ts";

interface Entry {
  readonly place: DevicePlace;
  readonly property: DescribedProperty;
  stored: StoredValue | undefined;
  isNew: boolean;
}

export class ValueBatch {
  readonly #tx: Transaction;
  readonly #deps: ValueStoreDeps;
  readonly #entries = new Map<string, Entry>();

  constructor(tx: Transaction, deps: ValueStoreDeps) {
    this.#tx = tx;
    this.#deps = deps;
  }

  /** Applies one value if its number lets it. Nothing is written before {@link write}. */
  async learn(
    place: DevicePlace,
    property: DescribedProperty,
    learned: LearnedValue,
    cause: ChangeCause,
  ): Promise<void> {
    const key = `${place.deviceId} ${property.key}`;
    let entry = this.#entries.get(key);
    if (!entry) {
      entry = { place, property, stored: await readValue(this.#tx, place, property), isNew: false };
      this.#entries.set(key, entry);
    }
    const { stored, isNew } = learnValue(this.#tx, this.#deps, place, property, entry.stored, learned, cause);
    if (!isNew) return;
    entry.stored = stored;
    entry.isNew = true;
  }

  /** Writes what has changed, in the transaction of the batch. */
  async write(): Promise<void> {
    const writes = [...this.#entries.values()].map(({ place, property, stored, isNew }) =>
      isNew && stored ? writeValue(this.#tx, this.#deps, place, property, stored) : undefined,
    );
    await Promise.all(writes);
  }
}
