/** Whether a device is live on its hub's link, as the hub said last: stored with its event. */
import { statement, type Transaction } from "../../store/index.ts";
import type { Hub } from "../../tunnels/index.ts";
import { appendDeviceEvent } from "./device-events.ts";

type Presence = { eco: string; device: string; online: number; at: number };

const setPresence = statement<Presence>("device_presence")((db, p) =>
  db
    .updateTable("devices")
    .set({ online: p.online, online_since: p.at, last_seen_at: p.at })
    .where("ecosystem_id", "=", p.eco)
    .where("id", "=", p.device),
);

/** @param at when it came or went, wall-clock ms */
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
