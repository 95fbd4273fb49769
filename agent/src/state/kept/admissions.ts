/** What people have admitted while the hub runs, and who is told when that changes. */
import type { Clock } from "@porchlight/shared/kernel";
import type { AdmittedDevices } from "../rows/admitted-devices.ts";

export interface StoredAdmissionsDeps {
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
