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
export interface StoredEntries extends Pick<DriverStore, "get" | "all"> {
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
