/** What the hub keeps for its drivers: what each of them has put away, and which devices people have admitted. */
import type { Clock, Log, Random } from "@porchlight/shared/kernel";
import type { Db } from "../database/database.ts";
import { AdmittedDevices } from "../rows/admitted-devices.ts";
import { DriverEntries } from "../rows/driver-entries.ts";
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

/** What people have admitted while the hub runs, and who is told when that changes. */
interface StoredAdmissionsDeps {
  readonly devices: AdmittedDevices;
  readonly clock: Clock;
  /** Runs a job in a transaction, and answers after its commit. */
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

  /** Settles once it is on disk, and drivers have been told; `full`: a hub admits no more. */
  async admit(edgeId: string): Promise<"admitted" | "full"> {
    const { devices, clock, run } = this.#deps;
    const done = await run(() => devices.add(edgeId, clock.now()));
    if (done === "added") this.#tell();
    return done === "full" ? "full" : "admitted";
  }

  /** Takes back what a person has admitted; what the settings admit stays admitted. */
  async withdraw(edgeId: string): Promise<void> {
    const done = await this.#deps.run(() => this.#deps.devices.remove(edgeId));
    if (done === "removed") this.#tell();
  }

  #tell(): void {
    for (const changed of this.#listeners) changed();
  }
}
