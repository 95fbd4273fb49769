/** Stores what a hub has just read, in one write job: the number rule and the events are those of every other value. */
import type { Clock } from "@porchlight/shared/kernel";
import type { Store } from "../../store/index.ts";
import { type Hub, standingOf } from "../../tunnels/index.ts";
import { deviceByEdge } from "../device/device-by-edge.ts";
import type { LearnedValue } from "../values/value-decision.ts";
import { storeValue } from "../values/value-store.ts";
import type { EnvironmentCache } from "./environment-cache.ts";
import type { Selected } from "./environment-state.ts";

export interface StoreReadsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly cache: EnvironmentCache;
}

export interface LearnedItem extends Selected {
  readonly learned: LearnedValue;
}

/** What became of a device since the read was asked for is for the next read to say. @throws Superseded, "Service Unavailable" */
export function storeReads(
  deps: StoreReadsDeps,
  hub: Hub,
  items: readonly LearnedItem[],
  tokenId: string,
): Promise<void> {
  const values = { now: () => deps.clock.now(), listener: deps.cache };
  const { ecosystemId, environmentId } = hub;
  return deps.store.write(ecosystemId, async (tx) => {
    await standingOf(tx, hub);
    const living = new Map<string, boolean>();
    for (const { device, property, learned } of items) {
      let lives = living.get(device.id);
      if (lives === undefined) {
        const found = device.edgeId === null ? undefined : await deviceByEdge(tx, hub, device.edgeId);
        lives = found?.id === device.id && found.client_id === hub.clientId && found.gone_at === null;
        living.set(device.id, lives);
      }
      const place = { ecosystemId, environmentId, deviceId: device.id };
      if (lives) await storeValue(tx, values, place, property, learned, { kind: "refresh", tokenId });
    }
  });
}
