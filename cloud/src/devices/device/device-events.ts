/** Events about a device, made inside the write job of their cause from the rows as that job leaves them, and presence, which is stored with its event. */

import { type Device, formatTime } from "@porchlight/shared/api";
import { UNKNOWN_TIME } from "@porchlight/shared/model";
import { DEFAULT_META_PREFIX, type JsonObject, showMeta } from "../../access/index.ts";
import { event } from "../../events/index.ts";
import { statement, type Transaction } from "../../store/index.ts";
import type { ConnectionState, Hub, HubConnection } from "../../tunnels/index.ts";
import { type DeviceSnapshot, readDevice } from "./device-row.ts";

export type DeviceEvent = "device.added" | "device.updated" | "device.online" | "device.offline" | "device.claimed";

/**
 * Appends an event with the device as it now is.
 * @param hub whose word it is: while it speaks it is there
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

/** Whether a device is live on its link, as its hub said last. @param at when it came or went, wall-clock ms */
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

// A device as the API and the events show it.

/** Times are wall-clock ms. */
interface DeviceConnection {
  readonly state: ConnectionState;
  readonly since: number;
  readonly lastSeenAt?: number | undefined;
}

/** A device is what its hub last said of it, as long as the hub is there to say so. */
export function deviceConnection(
  device: Pick<DeviceSnapshot, "online" | "online_since" | "last_seen_at" | "observed_at">,
  hub: Pick<HubConnection, "state" | "since">,
): DeviceConnection {
  const lastSeenAt = latest(device.last_seen_at, device.observed_at);
  // While its hub was away nothing was known of it: what is known now begins after that.
  const since = Math.max(device.online_since, hub.since);
  if (hub.state !== "online") return { state: "unknown", since, lastSeenAt };
  return { state: device.online === 1 ? "online" : "offline", since, lastSeenAt };
}

/** A value that a device confirmed proves that it was heard then. */
function latest(cameOrWent: number | null, observed: number | null): number | undefined {
  const times = [cameOrWent, observed].flatMap((at) => (at === null || at === UNKNOWN_TIME ? [] : [at]));
  return times.length === 0 ? undefined : Math.max(...times);
}

/** What the service itself says of a physical device in its metadata, under bare names; undefined of a virtual one. */
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
