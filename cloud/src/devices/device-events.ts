/** Events about a device, built inside the write job of their cause from its rows, and presence, which is stored with its event. */

import { type Device, formatTime } from "@porchlight/shared/api";
import { UNKNOWN_TIME } from "@porchlight/shared/model";
import { DEFAULT_META_PREFIX, type JsonObject, showMeta } from "../access/index.ts";
import { event } from "../events/index.ts";
import { statement, type Transaction } from "../store/index.ts";
import type { ConnectionState, Hub, HubConnection } from "../tunnels/index.ts";
import { type DeviceSnapshot, readDevice } from "./device-row.ts";

export type DeviceEvent = "device.added" | "device.updated" | "device.online" | "device.offline" | "device.claimed";

/**
 * Appends an event with the device's current state.
 * @param hub the reporting hub: it counts as online
 */
export async function appendDeviceEvent(
  tx: Transaction,
  hub: Hub,
  deviceId: string,
  type: DeviceEvent,
  more?: object,
): Promise<void> {
  const device = await readDevice(tx, hub.ecosystemId, deviceId);
  if (!device) return;
  const connection = deviceConnection(device, { state: "online", since: device.online_since });
  tx.append(event(type, device.environment_id, { ...deviceResource(device, connection), ...more }));
}

type Presence = { eco: string; device: string; online: number; at: number };

const setPresence = statement<Presence>("device_presence")((db, p) =>
  db
    .updateTable("devices")
    .set({ online: p.online, online_since: p.at, last_seen_at: p.at })
    .where("ecosystem_id", "=", p.eco)
    .where("id", "=", p.device),
);

/** Stores whether a device is reachable, as its hub reported. @param at time of the change, wall-clock ms */
export async function setDevicePresence(
  tx: Transaction,
  hub: Hub,
  device: string,
  online: boolean,
  at: number,
): Promise<void> {
  await tx.run(setPresence, { eco: hub.ecosystemId, device, online: online ? 1 : 0, at });
  await appendDeviceEvent(tx, hub, device, online ? "device.online" : "device.offline");
}

/** A device's connection as the API and the events show it. Times are wall-clock ms. */
interface DeviceConnection {
  readonly state: ConnectionState;
  readonly since: number;
  readonly lastSeenAt?: number | undefined;
}

/** A device's connection is the one that its hub last reported, as long as the hub is online. */
export function deviceConnection(
  device: Pick<DeviceSnapshot, "online" | "online_since" | "last_seen_at" | "observed_at">,
  hub: Pick<HubConnection, "state" | "since">,
): DeviceConnection {
  const lastSeenAt = latest(device.last_seen_at, device.observed_at);
  // While the hub was offline the device's state was unknown: the current state begins after that.
  const since = Math.max(device.online_since, hub.since);
  if (hub.state !== "online") return { state: "unknown", since, lastSeenAt };
  return { state: device.online === 1 ? "online" : "offline", since, lastSeenAt };
}

/** The time the device was last seen: a confirmed value proves its presence at that time. */
function latest(cameOrWent: number | null, observed: number | null): number | undefined {
  const times = [cameOrWent, observed].flatMap((at) => (at === null || at === UNKNOWN_TIME ? [] : [at]));
  return times.length === 0 ? undefined : Math.max(...times);
}

/** The metadata of a physical device that the service maintains, under bare names; undefined for a virtual one. */
export function maintainedMeta(device: Pick<DeviceSnapshot, "type" | "about" | "hub_edge_id">): JsonObject | undefined {
  if (device.type !== "physical") return undefined;
  const about: JsonObject = JSON.parse(device.about);
  return device.hub_edge_id === null ? about : { ...about, hub: device.hub_edge_id };
}

/** @param connection of a physical device */
export function deviceResource(
  device: DeviceSnapshot,
  connection: DeviceConnection | undefined,
  prefix = DEFAULT_META_PREFIX,
): Device {
  return {
    id: device.id,
    ecosystemId: device.ecosystem_id,
    environmentId: device.environment_id,
    type: device.type === "physical" ? "physical" : "virtual",
    ...(device.edge_id !== null && { edgeId: device.edge_id }),
    ...(device.alias !== null && { alias: device.alias }),
    meta: showMeta(device.meta, prefix, maintainedMeta(device)),
    createdAt: formatTime(device.created_at),
    ...(device.client_id !== null && { clientId: device.client_id }),
    ...(connection && { connection: shownConnection(connection) }),
  };
}

function shownConnection({ state, since, lastSeenAt }: DeviceConnection): NonNullable<Device["connection"]> {
  return {
    state,
    since: formatTime(since),
    ...(lastSeenAt !== undefined && { lastSeenAt: formatTime(lastSeenAt) }),
  };
}
