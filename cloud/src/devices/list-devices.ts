/** Lists and single reads of devices: pages by ID over the devices that the caller may see. */
import type { Device } from "@porchlight/shared/api";
import type { Clock } from "@porchlight/shared/kernel";
import {
  audit,
  type Caller,
  changeLivingObject,
  DEFAULT_META_PREFIX,
  endLivingObject,
  type References,
  type Resolved,
  readAlias,
  replaceMeta,
  selectWithinZone,
} from "../access/index.ts";
import { event } from "../events/index.ts";
import type { Sql, Store } from "../store/index.ts";
import { readOpenCommandsOfDevice, settleCommand } from "./commands/command-store.ts";
import { deviceConnection, deviceResource, maintainedMeta } from "./device-events.ts";
import {
  type DeviceSnapshot,
  deviceNotFound,
  dropDevice,
  dropDeviceValues,
  readDevice,
  selectSnapshots,
} from "./device-row.ts";
import type { EnvironmentCache } from "./environment-cache.ts";
import type { HubTeller } from "./hub-teller.ts";
import type { HubView } from "./hub-view.ts";

/** An ecosystem, or one environment of it. */
export interface DevicePlaceFilter {
  readonly ecosystemId: string;
  readonly environmentId?: string | undefined;
  /** Only devices in this zone or in a zone within it. */
  readonly zoneId?: string | undefined;
}

export interface DeviceListQuery {
  readonly places: readonly DevicePlaceFilter[];
  readonly type?: "physical" | "virtual" | undefined;
  /** The page begins after this ID. */
  readonly after: string;
  readonly limit: number;
}

/** Up to `limit` devices in the order of their IDs, which is the order of their creation. */
export async function listDevices(store: Store, query: DeviceListQuery): Promise<DeviceSnapshot[]> {
  const pages = await Promise.all(query.places.map((place) => pageOf(store.of(place.ecosystemId).sql, place, query)));
  if (pages.length === 1 && pages[0]) return pages[0];
  return pages
    .flat()
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .slice(0, query.limit);
}

function pageOf(
  sql: Sql,
  place: DevicePlaceFilter,
  { after, limit, type }: DeviceListQuery,
): Promise<DeviceSnapshot[]> {
  const { ecosystemId, environmentId, zoneId } = place;
  let select = selectSnapshots(sql.build)
    .where("o.ecosystem_id", "=", ecosystemId)
    .where("o.kind", "=", "dev")
    .where("o.id", ">", after)
    .orderBy("o.id")
    .limit(limit);
  if (environmentId !== undefined) select = select.where("o.environment_id", "=", environmentId);
  if (zoneId !== undefined)
    select = select.where("o.id", "in", selectWithinZone(sql.build, { eco: ecosystemId, zone: zoneId }));
  if (type !== undefined) select = select.where("d.type", "=", type);
  return sql.query(select);
}

/** @throws "Device Not Found" */
export async function getDevice(store: Store, ecosystemId: string, deviceId: string): Promise<DeviceSnapshot> {
  const device = await readDevice(store.of(ecosystemId).sql, ecosystemId, deviceId);
  if (!device) throw deviceNotFound();
  return device;
}

/** The device with its current connection. */
export function showDevice(hubs: HubView, device: DeviceSnapshot, prefix: string): Device {
  const hub = hubConnectionOf(hubs, device);
  return deviceResource(device, hub && deviceConnection(device, hub), prefix);
}

/** The current connection of a physical device's hub. */
function hubConnectionOf(hubs: HubView, device: DeviceSnapshot) {
  if (device.client_id === null) return undefined;
  return hubs.connection({
    id: device.client_id,
    online: device.hub_online ?? 0,
    online_since: device.hub_online_since,
    last_seen_at: device.hub_last_seen_at,
    reason: device.hub_reason,
    ...{ agent_version: null, stores_scenes: null },
    created_at: device.hub_created_at ?? device.created_at,
    held_by: device.hub_held_by,
    ended_at: device.hub_ended_at,
  });
}

/**
 * The DELETE of a device. Its tombstone stays; that of a physical device also has its arrival number, so that
 * its hub's records of it are acknowledged without effect until it is announced afresh (T2).
 */
interface DeleteDeviceDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly cache: EnvironmentCache;
  readonly hubs: HubView;
  readonly references: References;
  readonly teller: Pick<HubTeller, "changed">;
}

/** The end of an open command, which must not be sent again to a deleted device. */
const FORGOTTEN = {
  state: "failed",
  outcome: "unknown",
  error: {
    name: "Device Not Found",
    detail: "The device was deleted before its hub reported the result of the command.",
  },
} as const;

/** @param matches the `if-match` of the request @throws "Device Not Found", "Precondition Failed" */
export function deleteDevice(
  deps: DeleteDeviceDeps,
  caller: Caller,
  target: Resolved<"dev">,
  matches?: ((version: number) => boolean) | undefined,
): Promise<void> {
  const { store, clock, cache, hubs, references, teller } = deps;
  const { ecosystemId: eco, id } = target;
  return store.write(eco, async (tx) => {
    const device = await readDevice(tx, eco, id);
    if (!device) throw deviceNotFound();
    const at = clock.now();
    const shown = showDevice(hubs, device, DEFAULT_META_PREFIX);
    await endLivingObject(tx, references, target, at, matches);
    for (const open of await readOpenCommandsOfDevice(tx, eco, device.client_id, id))
      await settleCommand(tx, open, FORGOTTEN, at);
    const key = { eco, device: id };
    if (device.type === "physical") await dropDeviceValues(tx, key);
    else await dropDevice(tx, key);
    await audit(tx, caller, "device.deleted", id);
    tx.append(event("device.removed", device.environment_id, shown));
    tx.afterCommit(() => cache.deviceGone(device.environment_id, id));
    tx.afterCommit(() => teller.changed(device.environment_id));
  });
}

/** The PUT of a device: its alias and metadata, with `device.updated` in the same transaction. */
interface ChangeDeviceDeps {
  readonly store: Store;
  readonly hubs: HubView;
  readonly references: References;
  readonly teller: Pick<HubTeller, "changed">;
}

export interface DeviceChange {
  readonly alias?: string | null | undefined;
  /** From the request; undefined leaves the metadata unchanged. */
  readonly meta?: unknown;
  /** Prefix of system metadata that the request writes under. */
  readonly prefix: string;
  /** The `if-match` of the request. */
  readonly matches?: ((version: number) => boolean) | undefined;
  /** Throws when other parts of the request contradict the stored device. */
  readonly verify: (stored: Device) => void;
}

/**
 * Returns the device's new version.
 * @throws "Device Not Found", "Precondition Failed", "Alias Invalid", "Alias Exists", "Metadata Format Invalid", and
 * what `verify` throws
 */
export function changeDevice(
  deps: ChangeDeviceDeps,
  caller: Caller,
  target: Resolved<"dev">,
  change: DeviceChange,
): Promise<number> {
  const { store, hubs, references, teller } = deps;
  const { ecosystemId, id } = target;
  const { prefix, matches, meta } = change;
  const alias = readAlias(change.alias);
  return store.write(ecosystemId, async (tx) => {
    const device = await readDevice(tx, ecosystemId, id);
    if (!device) throw deviceNotFound();
    change.verify(showDevice(hubs, device, prefix));
    const maintained = maintainedMeta(device);
    const { row, changed } = await changeLivingObject(tx, references, target, {
      alias,
      meta: meta === undefined ? undefined : (stored) => replaceMeta(stored, meta, prefix, maintained),
      matches,
    });
    if (!changed) return row.version;
    tx.afterCommit(() => teller.changed(device.environment_id));
    await audit(tx, caller, "device.updated", id);
    const data = showDevice(hubs, { ...device, alias: row.alias, meta: row.meta }, DEFAULT_META_PREFIX);
    tx.append(event("device.updated", device.environment_id, data));
    return row.version;
  });
}
