/** The entries of drivers in the database: texts under keys, separate for each driver. */
import type { Statement } from "better-sqlite3";
import type { Db } from "../database.ts";
import { seal } from "../row-checksum.ts";

interface Row {
  readonly key: string;
  readonly value: string;
}

export class DriverEntries {
  readonly #get: Statement<[string, string], Row>;
  readonly #all: Statement<[string, string], Row>;
  readonly #put: Statement<[string, string, string, number]>;
  readonly #delete: Statement<[string, string]>;
  readonly #size: Statement<[string, string], { readonly size: number }>;

  constructor(db: Db) {
    this.#get = db.prepare("SELECT key, value FROM driver_entries WHERE driver = ? AND key = ?");
    this.#all = db.prepare("SELECT key, value FROM driver_entries WHERE driver = ? AND key >= ? ORDER BY key");
    this.#put = db.prepare(
      `INSERT INTO driver_entries VALUES (?, ?, ?, ?)
       ON CONFLICT (driver, key) DO UPDATE SET value = excluded.value, crc = excluded.crc`,
    );
    this.#delete = db.prepare("DELETE FROM driver_entries WHERE driver = ? AND key = ?");
    this.#size = db.prepare(
      "SELECT coalesce(sum(length(key) + length(value)), 0) AS size FROM driver_entries WHERE driver = ? AND key <> ?",
    );
  }

  get(driver: string, key: string): string | undefined {
    return this.#get.get(driver, key)?.value;
  }

  /** The entries whose key begins with `prefix`, ordered by key. */
  *all(driver: string, prefix: string): Iterable<Row> {
    for (const row of this.#all.iterate(driver, prefix)) {
      if (!row.key.startsWith(prefix)) return;
      yield row;
    }
  }

  put(driver: string, key: string, value: string): void {
    this.#put.run(driver, key, value, seal([driver, key, value]));
  }

  delete(driver: string, key: string): void {
    this.#delete.run(driver, key);
  }

  /** Characters that a driver stores under its other keys. */
  sizeBeside(driver: string, key: string): number {
    return this.#size.get(driver, key)?.size ?? 0;
  }
}
