/**
 * The store of a driver on the hub, which is sealed: the keys of a network, the first identity of a device, and the passwords that people
 * have entered in a setup.
 */
import { Secret } from "@porchlight/shared/settings";

/** The store of a driver on the hub: the keys of a network, the first identity of a device. */

export interface DriverStore {
  /** The value of that key; undefined when there is none. */
  get(key: string): Promise<Uint8Array | undefined>;
  /** All entries whose key begins with the prefix, by key. */
  all(prefix: string): Promise<ReadonlyMap<string, Uint8Array>>;
  /**
   * Settles once the entry is on disk. Undefined deletes it. A driver's keys (at most 256 characters) and values together have at most 1
   * MiB.
   * @throws DriverStoreFull, and nothing is changed
   */
  set(key: string, value: Uint8Array | undefined): Promise<void>;
}

/** The storage of a driver's entries. */
interface StoredEntries extends Pick<DriverStore, "get" | "all"> {
  set(key: string, value: Uint8Array | undefined): Promise<"kept" | "full">;
}

export function driverStore(entries: StoredEntries): DriverStore {
  return {
    get: (key) => entries.get(key),
    all: (prefix) => entries.all(prefix),
    set: async (key, value) => {
      if ((await entries.set(key, value)) === "full") throw new DriverStoreFull();
    },
  };
}

/** The driver's store has reached its size limit. */
export class DriverStoreFull extends Error {
  constructor() {
    super("A driver keeps at most 1 MiB on the hub.");
  }
}

/** Passwords and keys of devices that people have entered in a setup, stored in the driver's store, which is sealed. */
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
