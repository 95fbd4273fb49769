/** What the hub keeps for its drivers: what each of them has put away, and which devices people have admitted. */
import type { Clock, Log, Random } from "@porchlight/shared/kernel";
import type { Db } from "../database/database.ts";
import { AdmittedDevices } from "../rows/admitted-devices.ts";
import { DriverEntries } from "../rows/driver-entries.ts";
import { StoredAdmissions } from "./admissions.ts";
import { KeptEntries } from "./kept-entries.ts";

export interface KeptDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Runs a job in a transaction, and answers after its commit. */
  readonly run: <T>(job: () => T) => Promise<T>;
}

export class Kept {
  /** What people have admitted while the hub ran. */
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

  /** What a driver of that name keeps, encrypted with an AES-256 key. */
  entries(driver: string, key: Uint8Array): KeptEntries {
    return new KeptEntries({ ...this.#deps, entries: this.#entries, key }, driver);
  }

  /** Reads everything afresh: at the start, and after a transaction that was rolled back. */
  reload(): void {
    this.#admitted.reload();
  }
}
