/** Devices as lists and single reads answer them: pages by ID over what the caller may see. */
import type { Device } from "@porchlight/shared/api";
import { selectWithinZone } from "../../access/index.ts";
import type { Sql, Store } from "../../store/index.ts";
import { deviceConnection, deviceResource } from "../device/device-resource.ts";
import { type DeviceSnapshot, deviceNotFound, readDevice, selectSnapshots } from "../device/device-row.ts";
import type { HubView } from "../device/hub-view.ts";

/** An ecosystem, or one environment of it. */
export interface DevicePlaceFilter {
  readonly ecosystemId: string;
  readonly environmentId?: string | undefined;
  /** Only what is in this zone or in one within it. */
  readonly zoneId?: string | undefined;
}

export interface DeviceListQuery {
  readonly places: readonly DevicePlaceFilter[];
  readonly type?: "physical" | "virtual" | undefined;
  /** The page begins after this ID. */
  readonly after: string;
  readonly limit: number;
}

/** Up to `limit` devices in the order of their IDs, which is that of their making. */
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

/** The device with what is known now of its connection. */
export function showDevice(hubs: HubView, device: DeviceSnapshot, prefix: string): Device {
  const hub = hubConnectionOf(hubs, device);
  return deviceResource(device, hub && deviceConnection(device, hub), prefix);
}

/** What is known now of the hub that a physical device hangs on. */
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
