/** What each property last said: the table, and a copy in memory so that an equal report costs no query. */
import type { Clock } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";
import type { Statement } from "better-sqlite3";
import type { Db } from "./database.ts";
import type { Known } from "./learning.ts";
import { type PropertyTarget, targetKey } from "./property-target.ts";

export interface StoredValue extends Known, PropertyTarget {
  /** When the device last said so, ms since 1970. */
  readonly observedAt: number;
  /** The property can only notify. */
  readonly event: boolean;
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
}

export class Values {
  readonly #clock: Clock;
  readonly #selectAll: Statement<[], Row>;
  readonly #upsert: Statement<[Row]>;
  readonly #stored = new Map<string, StoredValue>();

  constructor(db: Db, clock: Clock) {
    this.#clock = clock;
    this.#selectAll = db.prepare("SELECT * FROM property_values ORDER BY device, service, idx, property");
    this.#upsert = db.prepare(
      `INSERT INTO property_values VALUES (@device, @service, @idx, @property, @value, @number, @observed_at, @written_at, @event)
       ON CONFLICT (device, service, idx, property) DO UPDATE
       SET value = @value, number = @number, observed_at = @observed_at, written_at = @written_at, event = @event`,
    );
  }

  get(target: PropertyTarget): StoredValue | undefined {
    return this.#stored.get(targetKey(target));
  }

  all(): StoredValue[] {
    return [...this.#stored.values()];
  }

  /** Writes a value under its number; gives the time that it is observed at. */
  store(target: PropertyTarget, value: Value, number: number, event: boolean): number {
    const { device, service, index, property } = target;
    const observedAt = this.#clock.now();
    this.#upsert.run({
      device,
      service,
      idx: index,
      property,
      value: JSON.stringify(value),
      number,
      observed_at: observedAt,
      written_at: observedAt,
      event: event ? 1 : 0,
    });
    const writtenAt = this.#clock.monotonic();
    this.#stored.set(targetKey(target), {
      device,
      service,
      index,
      property,
      value,
      number,
      observedAt,
      writtenAt,
      event,
    });
    return observedAt;
  }

  /** The device has said the same again: remembered in memory only; gives the time that it is observed at. */
  confirm(known: StoredValue): number {
    const observedAt = this.#clock.now();
    this.#stored.set(targetKey(known), { ...known, observedAt });
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
        writtenAt: this.#clock.monotonic() - age,
        event: row.event === 1,
      });
    }
  }
}
