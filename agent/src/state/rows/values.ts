/**
 * The last value of each property: the table, and a copy in memory so that an equal report costs no query. A property that is
 * reported several times in one transaction is written once, at its end.
 */
import { UNKNOWN_TIME, type Value, valuesEqual } from "@porchlight/shared/model";
import type { Statement } from "better-sqlite3";
import { type Db, seal } from "../database.ts";
import type { HubClock, Stamp } from "../hub-clock.ts";
import { type PropertyTarget, targetKey } from "./devices.ts";

export interface StoredValue extends Known, PropertyTarget {
  /** When the device last reported it, ms since 1970. */
  readonly observedAt: number;
  /** When the value last changed, ms since 1970. */
  readonly modifiedAt: number;
  /** The property can only notify. */
  readonly event: boolean;
  /** The moment of the observation, if it was made before the time was known. */
  readonly stamp?: Stamp | undefined;
  /** The moment of the change, if it was made before the time was known. */
  readonly modifiedStamp?: Stamp | undefined;
}

/** The new value of a property. */
export interface NewValue {
  readonly value: Value;
  /** Its number in the history. */
  readonly number: number;
  /** The property can only notify. */
  readonly event: boolean;
  /** When it was observed, ms since 1970; now when left out. */
  readonly at?: number | undefined;
  /** The target's key, if the caller has it already. */
  readonly key?: string | undefined;
}

interface Row {
  readonly device: string;
  readonly service: string;
  readonly idx: string;
  readonly property: string;
  readonly value: string;
  readonly number: number;
  readonly observed_at: number;
  readonly written_at: number;
  readonly event: number;
  readonly modified_at: number;
}

/** A value that the open transaction writes at its end. */
interface Unsaved {
  readonly stored: StoredValue;
  /** Time of the write, wall-clock ms. */
  readonly writtenAt: number;
}

export class Values {
  readonly #clock: HubClock;
  readonly #selectAll: Statement<[], Row>;
  readonly #upsert: Statement<(string | number)[]>;
  readonly #delete: Statement<[string, string, string, string]>;
  readonly #unsaved = new Map<string, Unsaved>();
  readonly #stored = new Map<string, StoredValue>();

  constructor(db: Db, clock: HubClock) {
    this.#clock = clock;
    this.#selectAll = db.prepare("SELECT * FROM property_values ORDER BY device, service, idx, property");
    this.#upsert = db.prepare(
      `INSERT INTO property_values (device, service, idx, property, value, number, observed_at, written_at, event, modified_at, crc)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (device, service, idx, property) DO UPDATE
       SET value = excluded.value, number = excluded.number, observed_at = excluded.observed_at,
         written_at = excluded.written_at, event = excluded.event, modified_at = excluded.modified_at, crc = excluded.crc`,
    );
    this.#delete = db.prepare(
      "DELETE FROM property_values WHERE device = ? AND service = ? AND idx = ? AND property = ?",
    );
  }

  /** @param key the target's key, if the caller has it already */
  get(target: PropertyTarget, key = targetKey(target)): StoredValue | undefined {
    const stored = this.#stored.get(key);
    return stored && this.#timed(stored);
  }

  all(): StoredValue[] {
    return [...this.#stored.values()].map((stored) => this.#timed(stored));
  }

  /** Stores a value under its number; returns its time of observation: now when `at` is left out. */
  store(target: PropertyTarget, { value, number, event, at, key = targetKey(target) }: NewValue): number {
    const { device, service, index, property } = target;
    const now = this.#clock.now();
    const observedAt = at ?? now;
    const stamp = observedAt === UNKNOWN_TIME ? undefined : this.#clock.stamp();
    const known = this.#stored.get(key);
    const isSame =
      !event && known !== undefined && known.modifiedAt !== UNKNOWN_TIME && valuesEqual(known.value, value);
    const stored: StoredValue = {
      ...{ device, service, index, property, value, number, observedAt, event, stamp },
      writtenAt: this.#clock.monotonic(),
      modifiedAt: isSame ? known.modifiedAt : observedAt,
      modifiedStamp: isSame ? known.modifiedStamp : stamp,
    };
    this.#stored.set(key, stored);
    this.#unsaved.set(key, { stored, writtenAt: now });
    return observedAt;
  }

  /** Deletes the value: the device no longer has the property. */
  delete(target: PropertyTarget): void {
    const { device, service, index, property } = target;
    const key = targetKey(target);
    this.#stored.delete(key);
    this.#unsaved.delete(key);
    this.#delete.run(device, service, index, property);
  }

  /** Writes the last value of each changed property; part of every transaction. */
  save(): void {
    for (const { stored, writtenAt } of this.#unsaved.values()) {
      const { device, service, index, property, number, observedAt, modifiedAt } = stored;
      const value = JSON.stringify(stored.value);
      const event = stored.event ? 1 : 0;
      const times = [observedAt, writtenAt, event, modifiedAt] as const;
      const crc = seal([device, service, index, property, value, number, ...times]);
      this.#upsert.run(device, service, index, property, value, number, ...times, crc);
    }
    this.#unsaved.clear();
  }

  /** Notes in memory only that the device repeated the value; returns the time of this observation. */
  confirm(known: StoredValue): number {
    const observedAt = this.#clock.now();
    this.#stored.set(targetKey(known), { ...known, observedAt, stamp: this.#clock.stamp() });
    return observedAt;
  }

  /** Reads everything again: at the start, and after a transaction that was rolled back. */
  reload(): void {
    this.#stored.clear();
    this.#unsaved.clear();
    const now = this.#clock.now();
    for (const row of this.#selectAll.iterate()) {
      const { device, service, property } = row;
      // A wall clock that was set back makes the age negative: then the value counts as written long ago.
      const age = row.written_at <= now ? now - row.written_at : Number.POSITIVE_INFINITY;
      const target = { device, service, index: row.idx, property };
      this.#stored.set(targetKey(target), {
        ...target,
        value: JSON.parse(row.value),
        number: row.number,
        observedAt: row.observed_at,
        modifiedAt: row.modified_at,
        writtenAt: this.#clock.monotonic() - age,
        event: row.event === 1,
      });
    }
  }

  /** The value with its times corrected by the current knowledge of the time. */
  #timed(stored: StoredValue): StoredValue {
    const { stamp, modifiedStamp } = stored;
    if (!stamp && !modifiedStamp) return stored;
    const corrected = (at: number, by: Stamp | undefined) => (by ? this.#clock.corrected(at, by) : at);
    return {
      ...stored,
      observedAt: corrected(stored.observedAt, stamp),
      modifiedAt: corrected(stored.modifiedAt, modifiedStamp),
    };
  }
}

/** The value that is stored. */
export interface Known {
  readonly value: Value;
  /** Its number in the history. */
  readonly number: number;
  /** When it was last written to disk, on the monotonic clock, ms. */
  readonly writtenAt: number;
}

/** An equal value is not written to disk more often than this, ms (T6). */
const EQUAL_WRITE_MS = 60_000;

/** `store`: the value takes the next number; `keep`: it shares the stored number. */
type Learning = "store" | "keep";

/**
 * Decides whether a report is stored: pure, because the wear of the flash and the cloud's copy depend on this rule.
 * @param event whether the property can only notify: then every report is new
 * @param now on the monotonic clock, ms
 */
export function learn(known: Known | undefined, value: Value, event: boolean, now: number): Learning {
  if (event || !known || !valuesEqual(known.value, value)) return "store";
  return now - known.writtenAt < EQUAL_WRITE_MS ? "keep" : "store";
}
