/** What a driver keeps on the hub: keys of a network, what a device was called when it was first told. */

export interface DriverStore {
  /** What is kept under that key; undefined when nothing is. */
  get(key: string): Promise<Uint8Array | undefined>;
  /** All whose key begins so, by key. */
  all(prefix: string): Promise<ReadonlyMap<string, Uint8Array>>;
  /**
   * Settles once it is on disk. Undefined forgets it. A driver's keys (at most 256 characters) and values together have at most 1 MiB.
   * @throws DriverStoreFull, and nothing is changed
   */
  set(key: string, value: Uint8Array | undefined): Promise<void>;
}

/** Where a driver's entries are kept. */
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

/** A driver may keep no more. */
export class DriverStoreFull extends Error {
  constructor() {
    super("A driver keeps at most 1 MiB on the hub.");
  }
}
