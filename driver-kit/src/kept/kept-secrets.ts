/** Passwords and keys of devices that people have given by a setup, kept in the driver's store, which is sealed. */
import { Secret } from "@porchlight/shared/settings";
import type { DriverStore } from "./driver-store.ts";

export class KeptSecrets {
  readonly #store: DriverStore | undefined;
  readonly #prefix: string;
  readonly #secrets = new Map<string, Secret>();

  /**
   * @param store undefined: nothing outlives the driver
   * @param prefix what their keys in the store begin with: `password `
   */
  constructor(store: DriverStore | undefined, prefix: string) {
    this.#store = store;
    this.#prefix = prefix;
  }

  /** To be awaited before any is asked for. @throws what the store throws */
  async load(): Promise<void> {
    for (const [key, value] of (await this.#store?.all(this.#prefix)) ?? [])
      this.#secrets.set(key.slice(this.#prefix.length), new Secret(Buffer.from(value).toString()));
  }

  /** @param device its edgeId, or whatever the driver knows it by */
  of(device: string): Secret | undefined {
    return this.#secrets.get(device);
  }

  /** Until it is kept it is used in this life of the driver only. @param secret undefined: none is known */
  use(device: string, secret: Secret | undefined): void {
    if (secret) this.#secrets.set(device, secret);
    else this.#secrets.delete(device);
  }

  /** Settles when the one in use is kept. @throws what the store throws */
  async keep(device: string): Promise<void> {
    const secret = this.#secrets.get(device);
    if (secret) await this.#store?.set(`${this.#prefix}${device}`, Buffer.from(secret.reveal()));
  }
}
