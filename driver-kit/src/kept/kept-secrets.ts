/** Passwords and keys of devices that people have entered in a setup, stored in the driver's store, which is sealed. */
import { Secret } from "@porchlight/shared/settings";
import type { DriverStore } from "./driver-store.ts";

export class KeptSecrets {
  readonly #store: DriverStore | undefined;
  readonly #prefix: string;
  readonly #secrets = new Map<string, Secret>();

  /**
   * @param store undefined: nothing outlives the driver
   * @param prefix of their keys in the store: `password `
   */
  constructor(store: DriverStore | undefined, prefix: string) {
    this.#store = store;
    this.#prefix = prefix;
  }

  /** Must be awaited before any secret is read. @throws the store's errors */
  async load(): Promise<void> {
    for (const [key, value] of (await this.#store?.all(this.#prefix)) ?? [])
      this.#secrets.set(key.slice(this.#prefix.length), new Secret(Buffer.from(value).toString()));
  }

  /** @param device its edgeId, or another ID that the driver uses for it */
  of(device: string): Secret | undefined {
    return this.#secrets.get(device);
  }

  /** Uses a secret in this life of the driver only, until `keep` stores it. @param secret undefined: none is known */
  use(device: string, secret: Secret | undefined): void {
    if (secret) this.#secrets.set(device, secret);
    else this.#secrets.delete(device);
  }

  /** Settles when the secret in use is stored. @throws the store's errors */
  async keep(device: string): Promise<void> {
    const secret = this.#secrets.get(device);
    if (secret) await this.#store?.set(`${this.#prefix}${device}`, Buffer.from(secret.reveal()));
  }
}
