/** The hub's storage for its drivers: the entries of each driver, encrypted, and the devices that users have admitted. */

import { createCipheriv, createDecipheriv } from "node:crypto";
import type { Clock, Log, Random } from "@porchlight/shared/kernel";
import type { Statement } from "better-sqlite3";
import { type Db, seal } from "./database.ts";

/** The maximum number of devices of a hub. */
const MOST = 1000;

class AdmittedDevices {
  readonly #select: Statement<[], { readonly edge_id: string }>;
  readonly #insert: Statement<[string, number, number]>;
  readonly #delete: Statement<[string]>;
  readonly #edgeIds = new Set<string>();

  constructor(db: Db) {
    this.#select = db.prepare("SELECT edge_id FROM admitted_devices");
    this.#insert = db.prepare("INSERT INTO admitted_devices VALUES (?, ?, ?)");
    this.#delete = db.prepare("DELETE FROM admitted_devices WHERE edge_id = ?");
  }

  has(edgeId: string): boolean {
    return this.#edgeIds.has(edgeId);
  }

  /** `full`: the maximum is reached. @param now wall-clock ms */
  add(edgeId: string, now: number): "added" | "known" | "full" {
    if (this.has(edgeId)) return "known";
    if (this.#edgeIds.size >= MOST) return "full";
    this.#insert.run(edgeId, now, seal([edgeId, now]));
    this.#edgeIds.add(edgeId);
    return "added";
  }

  remove(edgeId: string): "removed" | "known" {
    if (!this.#edgeIds.delete(edgeId)) return "known";
    this.#delete.run(edgeId);
    return "removed";
  }

  /** Reads everything again: at the start, and after a transaction that was rolled back. */
  reload(): void {
    this.#edgeIds.clear();
    for (const { edge_id } of this.#select.iterate()) this.#edgeIds.add(edge_id);
  }
}

interface Row {
  readonly key: string;
  readonly value: string;
}

/** The entries of drivers in the database: texts under keys, separate for each driver. */
class DriverEntries {
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

interface KeptEntriesDeps {
  readonly entries: DriverEntries;
  /** AES-256. */
  readonly key: Uint8Array;
  readonly random: Random;
  readonly log: Log;
  /** Runs a job in a transaction, and resolves after its commit. */
  readonly run: <T>(job: () => T) => Promise<T>;
}

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const LONGEST_KEY = 256;
/** Maximum characters of keys and stored values together; a stored value is base64 of nonce, tag and value. */
const MOST_CHARACTERS = Math.ceil(((1024 * 1024 + 64 * 1024) * 4) / 3);

/**
 * The entries of one driver, encrypted: the database without the hub's key reveals nothing of them. A value encrypted with
 * another hub's key, or moved to another name, counts as absent.
 */
export class KeptEntries {
  readonly #deps: KeptEntriesDeps;
  readonly #driver: string;

  /** @param driver the owner of the entries */
  constructor(deps: KeptEntriesDeps, driver: string) {
    this.#deps = deps;
    this.#driver = driver;
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    const kept = this.#deps.entries.get(this.#driver, key);
    return kept === undefined ? undefined : this.#decrypt(key, kept);
  }

  /** The entries whose key begins with `prefix`, by key. */
  async all(prefix: string): Promise<ReadonlyMap<string, Uint8Array>> {
    const found = new Map<string, Uint8Array>();
    for (const { key, value } of this.#deps.entries.all(this.#driver, prefix)) {
      const plain = this.#decrypt(key, value);
      if (plain) found.set(key, plain);
    }
    return found;
  }

  /**
   * Resolves once it is on disk; `full`: nothing has changed, because it would exceed the limit of a driver.
   * @param value undefined deletes the entry
   */
  set(key: string, value: Uint8Array | undefined): Promise<"kept" | "full"> {
    const { entries, run } = this.#deps;
    return run(() => {
      if (value === undefined) {
        entries.delete(this.#driver, key);
        return "kept";
      }
      const text = this.#encrypt(key, value);
      const size = entries.sizeBeside(this.#driver, key) + key.length + text.length;
      if (key.length > LONGEST_KEY || size > MOST_CHARACTERS) return "full";
      entries.put(this.#driver, key, text);
      return "kept";
    });
  }

  #encrypt(name: string, value: Uint8Array): string {
    const { key, random } = this.#deps;
    const nonce = random.bytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, key, nonce).setAAD(this.#about(name));
    const body = [cipher.update(value), cipher.final()];
    return Buffer.concat([nonce, cipher.getAuthTag(), ...body]).toString("base64");
  }

  #decrypt(name: string, kept: string): Uint8Array | undefined {
    const bytes = Buffer.from(kept, "base64");
    const [nonce, tag] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)];
    try {
      const decipher = createDecipheriv(CIPHER, this.#deps.key, nonce).setAAD(this.#about(name)).setAuthTag(tag);
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
    } catch {
      this.#deps.log.error(
        { driver: this.#driver },
        "the stored data of a driver cannot be decrypted: the hub has a different key",
      );
      return undefined;
    }
  }

  /** Additional data of the cipher: a value decrypts under its own name only. */
  #about(name: string): Buffer {
    return Buffer.from(`${this.#driver}\0${name}`);
  }
}

interface KeptDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Runs a job in a transaction, and resolves after its commit. */
  readonly run: <T>(job: () => T) => Promise<T>;
}

export class Kept {
  /** Devices that users have admitted while the hub ran. */
  readonly admissions: StoredAdmissions;
  readonly #deps: KeptDeps;
  readonly #entries: DriverEntries;
  readonly #admitted: AdmittedDevices;

  constructor(db: Db, deps: KeptDeps) {
    this.#deps = deps;
    this.#entries = new DriverEntries(db);
    this.#admitted = new AdmittedDevices(db);
    this.admissions = new StoredAdmissions({ ...deps, devices: this.#admitted });
  }

  /** The entries of the driver of that name, encrypted with an AES-256 key. */
  entries(driver: string, key: Uint8Array): KeptEntries {
    return new KeptEntries({ ...this.#deps, entries: this.#entries, key }, driver);
  }

  /** Reads everything again: at the start, and after a transaction that was rolled back. */
  reload(): void {
    this.#admitted.reload();
  }
}

/** The dependencies of the admissions that users make while the hub runs. */
interface StoredAdmissionsDeps {
  readonly devices: AdmittedDevices;
  readonly clock: Clock;
  /** Runs a job in a transaction, and resolves after its commit. */
  readonly run: <T>(job: () => T) => Promise<T>;
}

export class StoredAdmissions {
  readonly #deps: StoredAdmissionsDeps;
  readonly #listeners = new Set<() => void>();

  constructor(deps: StoredAdmissionsDeps) {
    this.#deps = deps;
  }

  isAdmitted(edgeId: string): boolean {
    return this.#deps.devices.has(edgeId);
  }

  /** Calls `changed` after each change, until the returned function is called. */
  listen(changed: () => void): () => void {
    this.#listeners.add(changed);
    return () => void this.#listeners.delete(changed);
  }

  /** Resolves once it is on disk and drivers are notified; `full`: the hub admits no more devices. */
  async admit(edgeId: string): Promise<"admitted" | "full"> {
    const { devices, clock, run } = this.#deps;
    const done = await run(() => devices.add(edgeId, clock.now()));
    if (done === "added") this.#tell();
    return done === "full" ? "full" : "admitted";
  }

  /** Withdraws a user's admission; a device that the settings admit stays admitted. */
  async withdraw(edgeId: string): Promise<void> {
    const done = await this.#deps.run(() => this.#deps.devices.remove(edgeId));
    if (done === "removed") this.#tell();
  }

  #tell(): void {
    for (const changed of this.#listeners) changed();
  }
}
