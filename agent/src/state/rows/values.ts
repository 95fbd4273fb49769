/** What each property last said: the table, and a copy in memory so that an equal report costs no query. */
import { UNKNOWN_TIME, type Value, valuesEqual } from "@porchlight/shared/model";
import type { Statement } from "better-sqlite3";
import type { Db } from "../database/database.ts";
import type { HubClock, Stamp } from "../database/hub-clock.ts";
import { seal } from "../database/row-checksum.ts";
import { SEALED } from "../database/schema.ts";
import type { Known } from "./learning.ts";
import { type PropertyTarget, targetKey } from "./property-target.ts";

export interface StoredValue extends Known, PropertyTarget {
  /** When the device last said so, ms since 1970. */
  readonly observedAt: number;
  /** When the value last changed, ms since 1970. */
  readonly modifiedAt: number;
  /** The property can only notify. */
  readonly event: boolean;
  /** When it was observed before the time was known. */
  readonly stamp?: Stamp | undefined;
  /** When it changed before the time was known. */
  readonly modifiedStamp?: Stamp | undefined;
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

export class Values {
  readonly #clock: HubClock;
  readonly #selectAll: Statement<[], Row>;
  readonly #upsert: Statement<[Row & { readonly crc: number }]>;
  readonly #stored = new Map<string, StoredValue>();

  constructor(db: Db, clock: HubClock) {
    this.#clock = clock;
    this.#selectAll = db.prepare("SELECT * FROM property_values ORDER BY device, service, idx, property");
    this.#upsert = db.prepare(
      `INSERT INTO property_values VALUES (@device, @service, @idx, @property, @value, @number, @observed_at, @written_at, @event, @crc, @modified_at)
       ON CONFLICT (device, service, idx, property) DO UPDATE
       SET value = @value, number = @number, observed_at = @observed_at, written_at = @written_at, event = @event,
         modified_at = @modified_at, crc = @crc`,
    );
  }

  get(target: PropertyTarget): StoredValue | undefined {
    const stored = this.#stored.get(targetKey(target));
    return stored && this.#timed(stored);
  }

  all(): StoredValue[] {
    return [...this.#stored.values()].map((stored) => this.#timed(stored));
  }

  /** Writes a value under its number; gives the time that it was observed at: now, when left out. */
  store(target: PropertyTarget, value: Value, number: number, event: boolean, at?: number): number {
    const { device, service, index, property } = target;
    const observedAt = at ?? this.#clock.now();
    const stamp = observedAt === UNKNOWN_TIME ? undefined : this.#clock.stamp();
    const known = this.#stored.get(targetKey(target));
    const isSame =
      !event && known !== undefined && known.modifiedAt !== UNKNOWN_TIME && valuesEqual(known.value, value);
    const modified = isSame
      ? { modifiedAt: known.modifiedAt, modifiedStamp: known.modifiedStamp }
      : { modifiedAt: observedAt, modifiedStamp: stamp };
    const row: Row = {
      device,
      service,
      idx: index,
      property,
      value: JSON.stringify(value),
      number,
      observed_at: observedAt,
      written_at: this.#clock.now(),
      event: event ? 1 : 0,
      modified_at: modified.modifiedAt,
    };
    this.#upsert.run({ ...row, crc: seal(SEALED.property_values.map((column) => row[column])) });
    const writtenAt = this.#clock.monotonic();
    const told = { device, service, index, property, value, number, observedAt, writtenAt, event, stamp };
    this.#stored.set(targetKey(target), { ...told, ...modified });
    return observedAt;
  }

  /** The device has said the same again: remembered in memory only; gives the time that it is observed at. */
  confirm(known: StoredValue): number {
    const observedAt = this.#clock.now();
    this.#stored.set(targetKey(known), { ...known, observedAt, stamp: this.#clock.stamp() });
    return observedAt;
  }

  /** Reads everything afresh: at the start, and after a transaction that was rolled back. */
  reload(): void {
    this.#stored.clear();
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

  /** The value with the times that are right by what is known now. */
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
