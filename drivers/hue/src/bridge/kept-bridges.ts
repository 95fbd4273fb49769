/** Stores the bridges that this hub is paired with, and removes one that is permanently gone when a person chooses it. */
import { type DriverStore, SetupFailed, type SetupKind, type SetupTalk } from "@porchlight/driver-kit";
import { z } from "zod";

const keptBridge = z.object({
  key: z.string().min(1).max(256),
  /** SHA-256 of a certificate that the manufacturer has not signed. */
  pinned: z.string().max(128).optional(),
  /** Last known address. */
  host: z.string().max(256),
  port: z.int().min(1).max(65_535),
  /** Address at pairing, which the settings may contain. */
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

  /** By bridge ID. */
  get all(): ReadonlyMap<string, KeptBridge> {
    return this.#all;
  }

  /** Must finish before any other call. @throws what the store throws */
  async load(): Promise<void> {
    for (const [key, value] of await this.#store.all(PREFIX)) {
      const kept = keptBridge.safeParse(parsed(value));
      if (kept.success) this.#all.set(key.slice(PREFIX.length), kept.data);
    }
  }

  /** Resolves when the bridge is on disk. @throws DriverStoreFull */
  async keep(bridgeId: string, bridge: KeptBridge): Promise<void> {
    await this.#store.set(`${PREFIX}${bridgeId}`, Buffer.from(JSON.stringify(bridge)));
    this.#all.set(bridgeId, bridge);
  }

  /** Resolves when the removal is on disk. */
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

export const FORGET_BRIDGE: SetupKind = { kind: "hue-forget", title: "Forget a Hue bridge" };

interface PairedBridge {
  readonly bridgeId: string;
  /** Last known address. */
  readonly place: string;
}

/** @param gone bridges without a connection @throws SetupFailed, the talk's signal's reason, what `forget` throws */
export async function forgetBridge(
  talk: SetupTalk,
  gone: readonly PairedBridge[],
  forget: (bridgeId: string) => Promise<void>,
): Promise<void> {
  if (gone.length === 0) throw new SetupFailed("Every paired Hue bridge is connected.");
  const words = ({ bridgeId, place }: PairedBridge) => `${bridgeId} (${place})`;
  const text = "Which bridge is not in use any more? To use it again, you must press its button.";
  const chosen = await talk.ask({ ask: "choice", text, choices: gone.map(words) });
  const bridge = gone.find((each) => words(each) === chosen);
  if (!bridge) throw new SetupFailed("There is no such bridge.");
  await forget(bridge.bridgeId);
}
