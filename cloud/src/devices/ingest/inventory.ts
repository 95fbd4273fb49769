/** Stores the list of a hub's devices in one write job: which exist, which hub owns each, and which must be described (T2.1). */
import { BoundedMap, type Clock } from "@porchlight/shared/kernel";
import type { Inventory } from "@porchlight/shared/tunnel";
import type { Store, Transaction } from "../../store/index.ts";
import { type Hub, type InventoryAnswer, standingOf } from "../../tunnels/index.ts";
import type { CommandQueue } from "../commands/command-queue.ts";
import { followDevice } from "../commands/queued-commands.ts";
import { appendDeviceEvent, setDevicePresence } from "../device-events.ts";
import {
  type DeviceByEdge,
  deviceByEdge,
  onlineDevices,
  setArrival,
  setInventoryDigest,
  takeDevice,
} from "../device-row.ts";
import type { EnvironmentCache } from "../environment-cache.ts";

export interface InventoryDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly cache: EnvironmentCache;
  readonly claims: ClaimWatch;
  /** Commands that wait for a device move with it to its new hub. */
  readonly queue: Pick<CommandQueue, "look">;
}

/** @throws Superseded, "Service Unavailable" */
export function applyInventory(deps: InventoryDeps, hub: Hub, inventory: Inventory): Promise<InventoryAnswer> {
  // In the order of the hub's records, which report the presence of the same devices.
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
    // While anything is missing the digest stays open, so that the next connection sends the list again.
    const complete = wanted.length === 0 && claimed.length === 0;
    const key = { eco: hub.ecosystemId, client: hub.clientId };
    await setInventoryDigest(tx, key, complete ? inventory.digest : null);
    return { wanted, claimed };
  });
}

/** The devices that live on another hub: a hub asks before it removes one from the network. @throws Superseded */
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

/** Notifies the owner once that a hub announces another hub's device. */
async function tellClaim(
  { claims }: Pick<InventoryDeps, "claims">,
  tx: Transaction,
  hub: Hub,
  device: string,
  edgeId: string,
): Promise<void> {
  if (!claims.isNew(hub, edgeId)) return;
  await appendDeviceEvent(tx, hub, device, "device.claimed", { claimedBy: { clientId: hub.clientId } });
  tx.afterCommit(() => claims.reported(hub, edgeId));
}

/** Marks the device as present on this hub. */
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
  // The hot paths use the device's hub.
  if (moved) {
    tx.afterCommit(() => deps.cache.forget(hub.environmentId));
    await followDevice(tx, known.id, hub.clientId);
    tx.afterCommit(() => deps.queue.look(hub.clientId));
    await appendDeviceEvent(tx, hub, known.id, "device.updated");
  }
  if ((known.online === 1) !== online) await setDevicePresence(tx, hub, known.id, online, deps.clock.now());
}

/** A device that its hub no longer lists goes offline; it is not deleted. */
async function missingGoOffline(deps: InventoryDeps, tx: Transaction, hub: Hub, inventory: Inventory): Promise<void> {
  const listed = new Set(inventory.devices.map(({ edgeId }) => edgeId));
  for (const device of await onlineDevices(tx, { eco: hub.ecosystemId, client: hub.clientId })) {
    if (device.edge_id === null || listed.has(device.edge_id)) continue;
    await setDevicePresence(tx, hub, device.id, false, deps.clock.now());
  }
}

/** A device as a hub announces it. */
interface Announced {
  readonly digest: string;
  readonly arrival: number;
}

/** The cloud's device with that edgeId in the hub's environment. */
export interface KnownDevice {
  readonly client_id: string | null;
  readonly arrival: number;
  readonly digest: string;
  readonly online: number;
  readonly gone_at: number | null;
  /** State of the hub that it lives on: 1 when the log has it online, and the time of the last change. */
  readonly hub_online: number | null;
  readonly hub_since: number | null;
}

type DeviceDecision =
  /** Unknown, or deleted and announced afresh: created under a new ID once it is described. */
  | { readonly kind: "make"; readonly replaces: boolean }
  /** Deleted, and its hub has not announced it afresh: ignored. `arrival` is stored when it comes from another history. */
  | { readonly kind: "deleted"; readonly arrival?: number }
  /** Live on another hub, which owns it. */
  | { readonly kind: "claimed" }
  /** On this hub, now or again; `moved` when it was on another hub until now. */
  | { readonly kind: "ours"; readonly described: boolean; readonly moved: boolean };

/** Another hub may take over a device when the owner has been offline for this long, ms. */
const TAKE_OVER_AFTER_MS = 60_000;
/** Arrival of a device whose hub has started a new history: the next number is accepted as it is. */
export const NO_ARRIVAL = -1;

/**
 * Decides what an announced device means for the cloud. Pure: the rules of arrival, ownership and return (A2.1, T2.1).
 * @param now wall clock, ms
 */
export function decideDevice(
  known: KnownDevice | undefined,
  announced: Announced,
  clientId: string,
  now: number,
): DeviceDecision {
  if (!known) return { kind: "make", replaces: false };
  if (known.gone_at !== null) {
    // Arrivals count on one hub: any number from another hub is a fresh announcement.
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

/** Maximum remembered claims; beyond it the oldest is dropped. */
const MOST_CLAIMS = 10_000;

/**
 * Remembers the claims that the owner was notified of: a hub announces its devices on every connection, and one event
 * is enough.
 */
export class ClaimWatch {
  readonly #reported = new BoundedMap<string, true>(MOST_CLAIMS);

  /** Whether the owner has yet to be notified that the hub announces another hub's device. */
  isNew(hub: Hub, edgeId: string): boolean {
    return !this.#reported.has(keyOf(hub, edgeId));
  }

  /** Must be called after the commit: a job may run twice. */
  reported(hub: Hub, edgeId: string): void {
    this.#reported.set(keyOf(hub, edgeId), true);
  }
}

function keyOf(hub: Hub, edgeId: string): string {
  return `${hub.clientId} ${edgeId}`;
}
