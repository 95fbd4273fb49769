/** The statements that change devices when a hub announces them: kept apart, so that the two jobs that use them read as rules. */
import { statement, type Transaction } from "../store/index.ts";

type Device = { eco: string; device: string };

const renew = statement<Device & { client: string; arrival: number }>("renew_device")((db, p) =>
  db
    .updateTable("devices")
    .set({ client_id: p.client, arrival: p.arrival })
    .where("ecosystem_id", "=", p.eco)
    .where("id", "=", p.device),
);
const arriveAgain = statement<Device & { arrival: number }>("device_arrival")((db, p) =>
  db.updateTable("devices").set({ arrival: p.arrival }).where("ecosystem_id", "=", p.eco).where("id", "=", p.device),
);
const resetNumbers = statement<Device>("reset_device_numbers")((db, p) =>
  db
    .updateTable("property_values")
    .set({ number: 0 })
    .where("ecosystem_id", "=", p.eco)
    .where("device_id", "=", p.device),
);
const dropRow = statement<Device>("drop_device")((db, p) =>
  db.deleteFrom("devices").where("ecosystem_id", "=", p.eco).where("id", "=", p.device),
);
const dropValues = statement<Device>("drop_device_values")((db, p) =>
  db.deleteFrom("property_values").where("ecosystem_id", "=", p.eco).where("device_id", "=", p.device),
);
type Client = { eco: string; client: string };
const resetAllNumbers = statement<Client>("reset_hub_numbers")((db, p) =>
  db
    .updateTable("property_values")
    .set({ number: 0 })
    .where("ecosystem_id", "=", p.eco)
    .where("device_id", "in", (of) =>
      of.selectFrom("devices").select("id").where("ecosystem_id", "=", p.eco).where("client_id", "=", p.client),
    ),
);
const resetArrivals = statement<Client & { arrival: number }>("reset_arrivals")((db, p) =>
  db
    .updateTable("devices")
    .set({ arrival: p.arrival })
    .where("ecosystem_id", "=", p.eco)
    .where("client_id", "=", p.client),
);
const setDigest = statement<Client & { digest: string | null }>("inventory_digest")((db, p) =>
  db
    .updateTable("clients")
    .set({ inventory_digest: p.digest })
    .where("ecosystem_id", "=", p.eco)
    .where("id", "=", p.client),
);
const endUnswept = statement<Device & { at: number }>("end_unswept_device")((db, p) =>
  db
    .updateTable("objects")
    .set({ gone_at: p.at, alias: null, meta: "{}" })
    .where("ecosystem_id", "=", p.eco)
    .where("id", "=", p.device)
    .where("gone_at", "is", null),
);
const selectOnline = statement<Client>("online_devices")((db, p) =>
  db
    .selectFrom("devices")
    .select(["id", "edge_id"])
    .where("ecosystem_id", "=", p.eco)
    .where("client_id", "=", p.client)
    .where("online", "=", 1),
);

/** Moves the device to this hub; if it lived on another one, its values' numbers belong to a history that has ended. */
export async function takeDevice(
  tx: Transaction,
  key: Device & { client: string; arrival: number },
  moved: boolean,
): Promise<void> {
  await tx.run(renew, key);
  if (moved) await tx.run(resetNumbers, key);
}

export function setArrival(tx: Transaction, key: Device & { arrival: number }): Promise<number> {
  return tx.run(arriveAgain, key);
}

/** Deletes the values of a deleted device. */
export function dropDeviceValues(tx: Transaction, key: Device): Promise<number> {
  return tx.run(dropValues, key);
}

/** Deletes everything of a deleted device except its tombstone, so that its edgeId is free for a new one. */
export async function dropDevice(tx: Transaction, key: Device): Promise<void> {
  await tx.run(dropValues, key);
  await tx.run(dropRow, key);
  // The hub's deletion may have included it, which only the hub's row shows.
  await tx.run(endUnswept, { ...key, at: tx.now() });
}

/** Starts a new history of the hub: stored numbers and arrivals are void. */
export async function forgetHistory(tx: Transaction, key: Client, arrival: number): Promise<void> {
  await tx.run(resetAllNumbers, key);
  await tx.run(resetArrivals, { ...key, arrival });
}

/** @param digest null: the cloud's list of the hub's devices is not up to date */
export function setInventoryDigest(tx: Transaction, key: Client, digest: string | null): Promise<number> {
  return tx.run(setDigest, { ...key, digest });
}

/** Devices of a hub that are online in the store. */
export function onlineDevices(tx: Transaction, key: Client): Promise<{ id: string; edge_id: string | null }[]> {
  return tx.all(selectOnline, key);
}
