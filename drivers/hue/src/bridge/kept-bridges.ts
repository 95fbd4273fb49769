/** The bridges that this hub is paired with, as they are kept on it. */
import type { DriverStore } from "@porchlight/driver-kit";
import { z } from "zod";

const keptBridge = z.object({
  key: z.string().min(1).max(256),
  /** SHA-256 of a certificate that the maker has not signed. */
  pinned: z.string().max(128).optional(),
  /** Where it was last. */
  host: z.string().max(256),
  port: z.int().min(1).max(65_535),
  /** Where it was when it was paired, as the settings may name it. */
  pairedAt: z.string().max(300).optional(),
});

export type KeptBridge = z.output<typeof keptBridge>;

const PREFIX = "bridge ";

export class KeptBridges {
  readonly #store: DriverStore;
  readonly #all = new Map<string, KeptBridge>();

  constructor(store: DriverStore) {
    this.#store = store;
  }

  /** By their ids. */
  get all(): ReadonlyMap<string, KeptBridge> {
    return this.#all;
  }

  /** To be awaited first. @throws what the store throws */
  async load(): Promise<void> {
    for (const [key, value] of await this.#store.all(PREFIX)) {
      const kept = keptBridge.safeParse(parsed(value));
      if (kept.success) this.#all.set(key.slice(PREFIX.length), kept.data);
    }
  }

  /** Settles when it is on disk. @throws DriverStoreFull */
  async keep(bridgeId: string, bridge: KeptBridge): Promise<void> {
    await this.#store.set(`${PREFIX}${bridgeId}`, Buffer.from(JSON.stringify(bridge)));
    this.#all.set(bridgeId, bridge);
  }

  /** Settles when it is on disk. */
  async forget(bridgeId: string): Promise<void> {
    await this.#store.set(`${PREFIX}${bridgeId}`, undefined);
    this.#all.delete(bridgeId);
  }
}

function parsed(value: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(value).toString());
  } catch {
    return undefined;
  }
}
