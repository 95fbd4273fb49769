/** Events about a device, made inside the write job of their cause from the rows as that job leaves them, and presence, which is stored with its event. */
import { event } from "../../events/index.ts";
import { statement, type Transaction } from "../../store/index.ts";
import type { Hub } from "../../tunnels/index.ts";
import { deviceConnection, deviceResource } from "./device-resource.ts";
import { readDevice } from "./device-row.ts";

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
