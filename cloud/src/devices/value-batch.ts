/**
 * The values of several batches of hubs' histories, stored together. A property is read once and written once, at the
 * end, with its last value, because a hub that was offline reports the same few properties again and again. Each change
 * is an event nevertheless.
 */
import type { DescribedProperty } from "@porchlight/shared/model";
import type { ChangeCause, DevicePlace, StoredValue } from "@porchlight/shared/rest";
import type { KindSql, Transaction } from "../store/index.ts";
import type { LearnedValue } from "./value-decision.ts";
import { learnValue, type NewValue, type ValueStoreDeps, writeValues } from "./value-store.ts";

/** A property in the batches. */
export interface Entry {
  readonly place: DevicePlace;
  readonly property: DescribedProperty;
  /** Its value after all that was learned so far. */
  stored: StoredValue | undefined;
  /** The transaction of the value to be written; undefined when nothing changed. */
  from: Transaction | undefined;
}

export class ValueBatch {
  readonly #deps: ValueStoreDeps;
  readonly #entries = new Map<string, Entry>();

  constructor(deps: ValueStoreDeps) {
    this.#deps = deps;
  }

  /** The property's entry; undefined when it was not added. */
  entry(place: DevicePlace, property: DescribedProperty): Entry | undefined {
    return this.#entries.get(keyOf(place, property));
  }

  /** Adds a property with its stored value. */
  add(place: DevicePlace, property: DescribedProperty, stored: StoredValue | undefined): Entry {
    const entry: Entry = { place, property, stored, from: undefined };
    this.#entries.set(keyOf(place, property), entry);
    return entry;
  }

  /** Applies one value if its number permits. Nothing is written before {@link write}. */
  learn(tx: Transaction, entry: Entry, learned: LearnedValue, cause: ChangeCause): void {
    const { place, property } = entry;
    const { stored, isNew } = learnValue(tx, this.#deps, place, property, entry.stored, learned, cause);
    if (!isNew) return;
    entry.stored = stored;
    entry.from = tx;
  }

  /** Writes the changes. */
  write(sql: KindSql): void {
    const changed = [...this.#entries.values()].flatMap(({ place, property, stored, from }): NewValue[] =>
      from && stored ? [{ tx: from, place, property, stored }] : [],
    );
    writeValues(sql, this.#deps, changed);
  }
}

function keyOf({ deviceId }: DevicePlace, { key }: DescribedProperty): string {
  return `${deviceId} ${key}`;
}
