/** The hub's storage for its drivers: the entries of each driver, and the devices that users have admitted. */
import type { Clock, Log, Random } from "@porchlight/shared/kernel";
import type { Db } from "./database.ts";
import { AdmittedDevices } from "./rows/admitted-devices.ts";
import { DriverEntries } from "./rows/driver-entries.ts";
import { KeptEntries } from "./kept-entries.ts";

export interface KeptDeps {
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
