/** The list of a hub's devices, taken into the store in one write job: who is there, whose it is, what must be described (T2.1). */
import { BoundedMap, type Clock } from "@porchlight/shared/kernel";
import type { Inventory } from "@porchlight/shared/tunnel";
import type { Store, Transaction } from "../../store/index.ts";
import { type Hub, type InventoryAnswer, standingOf } from "../../tunnels/index.ts";
import type { EnvironmentCache } from "../cache/environment-cache.ts";
import { type DeviceByEdge, deviceByEdge } from "../device/device-by-edge.ts";
import { appendDeviceEvent, setDevicePresence } from "../device/device-events.ts";
import { onlineDevices, setArrival, setInventoryDigest, takeDevice } from "../device/device-writes.ts";
import type { CommandQueue } from "../queue/command-queue.ts";
import { followDevice } from "../queue/queued-commands.ts";

export interface InventoryDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly cache: EnvironmentCache;
  readonly claims: ClaimWatch;
  /** What waits for a device goes with it to its new hub. */
  readonly queue: Pick<CommandQueue, "look">;
}

/** @throws Superseded, "Service Unavailable" */
export function applyInventory(deps: InventoryDeps, hub: Hub, inventory: Inventory): Promise<InventoryAnswer> {
  // In the order of the hub's records: they tell of the same devices' presence.
  return deps.store.writeReport(hub.ecosystemId, inventory.devices.length, async (tx) => {
    await standingOf(tx, hub);
    const wanted: string[] = [];
    const claimed: string[] = [];
    for (const announced of inventory.devices) {
      const known = await deviceByEdge(tx, hub, announced.edgeId);
      const decision = decideDevice(known, announced, hub.clientId, deps.clock.now());
      switch (decision.kind) {
        case "make":
          wanted.push(announced.edgeId);
          break;
        case "deleted":
          if (known && decision.arrival !== undefined)
            await setArrival(tx, { eco: hub.ecosystemId, device: known.id, arrival: decision.arrival });
          break;
        case "claimed":
          claimed.push(announced.edgeId);
          if (known) await tellClaim(deps, tx, hub, known.id, announced.edgeId);
          break;
        case "ours":
          if (known) await renewDevice(deps, tx, hub, known, announced, decision.moved);
          if (!decision.described) wanted.push(announced.edgeId);
      }
    }
    await missingGoOffline(deps, tx, hub, inventory);
    // While anything is left to be told the digest stays open, so that the next connection begins with the list again.
    const complete = wanted.length === 0 && claimed.length === 0;
    const key = { eco: hub.ecosystemId, client: hub.clientId };
    await setInventoryDigest(tx, key, complete ? inventory.digest : null);
    return { wanted, claimed };
  });
}

/** Those of the devices that live on another hub: a hub asks before it takes one off the network. @throws Superseded */
export function claimedOf(
  deps: Pick<InventoryDeps, "store" | "clock" | "claims">,
  hub: Hub,
  edgeIds: readonly string[],
): Promise<readonly string[]> {
  return deps.store.writeReport(hub.ecosystemId, edgeIds.length, async (tx) => {
    await standingOf(tx, hub);
    const claimed: string[] = [];
    for (const edgeId of new Set(edgeIds)) {
      const known = await deviceByEdge(tx, hub, edgeId);
      if (!known || !isAnothers(known, hub.clientId, deps.clock.now())) continue;
      claimed.push(edgeId);
      await tellClaim(deps, tx, hub, known.id, edgeId);
    }
    return claimed;
  });
}

/** The owner is told once that a hub would have another's device. */
async function tellClaim(
  { claims }: Pick<InventoryDeps, "claims">,
  tx: Transaction,
  hub: Hub,
  device: string,
  edgeId: string,
): Promise<void> {
  if (!claims.isNew(hub, edgeId)) return;
  await appendDeviceEvent(tx, hub, device, "device.claimed", { claimedBy: { clientId: hub.clientId } });
  tx.afterCommit(() => claims.told(hub, edgeId));
}

/** The device is there, on this hub. */
export async function renewDevice(
  deps: Pick<InventoryDeps, "clock" | "cache" | "queue">,
  tx: Transaction,
  hub: Hub,
  known: DeviceByEdge,
  announced: { readonly arrival: number; readonly online: boolean },
  moved: boolean,
): Promise<void> {
  const { arrival, online } = announced;
  if (moved || known.arrival !== arrival)
    await takeDevice(tx, { eco: hub.ecosystemId, device: known.id, client: hub.clientId, arrival }, moved);
  // Its hub is part of what the hot paths know of it.
  if (moved) {
    tx.afterCommit(() => deps.cache.forget(hub.environmentId));
    await followDevice(tx, known.id, hub.clientId);
    tx.afterCommit(() => deps.queue.look(hub.clientId));
    await appendDeviceEvent(tx, hub, known.id, "device.updated");
  }
  if ((known.online === 1) !== online) await setDevicePresence(tx, hub, known.id, online, deps.clock.now());
}

/** A device that its hub does not list any more is offline, not deleted. */
async function missingGoOffline(deps: InventoryDeps, tx: Transaction, hub: Hub, inventory: Inventory): Promise<void> {
  const listed = new Set(inventory.devices.map(({ edgeId }) => edgeId));
  for (const device of await onlineDevices(tx, { eco: hub.ecosystemId, client: hub.clientId })) {
    if (device.edge_id === null || listed.has(device.edge_id)) continue;
    await setDevicePresence(tx, hub, device.id, false, deps.clock.now());
  }
}

// What an announced device is to the cloud: pure, with the rules of arrival, of belonging and of coming back (A2.1, T2.1).

/** A device as a hub announces it. */
interface Announced {
  readonly digest: string;
  readonly arrival: number;
}

/** What the cloud has under that edgeId in the hub's environment. */
export interface KnownDevice {
  readonly client_id: string | null;
  readonly arrival: number;
  readonly digest: string;
  readonly online: number;
  readonly gone_at: number | null;
  /** Of the hub that it lives on: 1 when the log calls it online, and since when it says what it says. */
  readonly hub_online: number | null;
  readonly hub_since: number | null;
}

type DeviceDecision =
  /** Not known, or deleted and come again: made, under a new ID, once it is described. */
  | { readonly kind: "make"; readonly replaces: boolean }
  /** Deleted, and its hub has not announced it afresh: left alone. `arrival` to remember, when it is of another history. */
  | { readonly kind: "deleted"; readonly arrival?: number }
  /** Live on another hub, which it belongs to. */
  | { readonly kind: "claimed" }
  /** It is this hub's now, or again; `moved` when it was another's until now. */
  | { readonly kind: "ours"; readonly described: boolean; readonly moved: boolean };

/** Another hub may take a device over when its own has been offline for this long, ms. */
const TAKE_OVER_AFTER_MS = 60_000;
/** Arrival of a device whose hub has begun a new history: the first number that comes is taken as it is. */
export const NO_ARRIVAL = -1;

/** @param now wall clock, ms */
export function decideDevice(
  known: KnownDevice | undefined,
  announced: Announced,
  clientId: string,
  now: number,
): DeviceDecision {
  if (!known) return { kind: "make", replaces: false };
  if (known.gone_at !== null) {
    // Arrivals count on one hub: another one's is afresh with any number.
    if (known.client_id !== clientId) return { kind: "make", replaces: true };
    if (known.arrival === NO_ARRIVAL) return { kind: "deleted", arrival: announced.arrival };
    return announced.arrival > known.arrival ? { kind: "make", replaces: true } : { kind: "deleted" };
  }
  if (isAnothers(known, clientId, now)) return { kind: "claimed" };
  return { kind: "ours", described: known.digest === announced.digest, moved: known.client_id !== clientId };
}

/** Owned by another hub and not yet eligible for takeover. @param now wall clock, ms */
function isAnothers(known: KnownDevice, clientId: string, now: number): boolean {
  return known.gone_at === null && known.client_id !== clientId && !mayTakeOver(known, now);
}

function mayTakeOver({ client_id, online, hub_online, hub_since }: KnownDevice, now: number): boolean {
  if (client_id === null || hub_online === null || online === 0) return true;
  return hub_online === 0 && hub_since !== null && now - hub_since >= TAKE_OVER_AFTER_MS;
}

// Remembers of which claims an owner has been told: a hub announces what it has on every connection, and one event is enough.

/** Claims that are remembered; beyond it the longest known is forgotten. */
const MOST_CLAIMS = 10_000;

export class ClaimWatch {
  readonly #told = new BoundedMap<string, true>(MOST_CLAIMS);

  /** Whether the owner is still to be told that the hub announces another hub's device. */
  isNew(hub: Hub, edgeId: string): boolean {
    return !this.#told.has(keyOf(hub, edgeId));
  }

  /** To be called after the commit: a job may run twice. */
  told(hub: Hub, edgeId: string): void {
    this.#told.set(keyOf(hub, edgeId), true);
  }
}

function keyOf(hub: Hub, edgeId: string): string {
  return `${hub.clientId} ${edgeId}`;
}
