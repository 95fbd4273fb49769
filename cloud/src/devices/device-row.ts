/**
 * The rows of devices: read with everything that the resource shows, found by the hub's edgeId, and changed when a hub announces
 * them.
 */
import { BoundedMap, type NamedError } from "@porchlight/shared/kernel";
import { type Described, type DeviceDescription, describe } from "@porchlight/shared/model";
import { referenceNotFound } from "../access/index.ts";
import { bulk, type KindSql, one, type Sql, statement, type Transaction } from "../store/index.ts";
import { endedAt, type Hub, heldBy } from "../tunnels/index.ts";

export interface DeviceSnapshot {
  readonly ecosystem_id: string;
  readonly id: string;
  readonly environment_id: string;
  readonly type: string;
  readonly edge_id: string | null;
  readonly client_id: string | null;
  readonly about: string;
  readonly online: number;
  readonly online_since: number;
  /** When its hub last reported a change of its presence. */
  readonly last_seen_at: number | null;
  /** When it last reported or confirmed a value; null or `UNKNOWN_TIME` when no such time is known. */
  readonly observed_at: number | null;
  readonly alias: string | null;
  readonly meta: string;
  readonly version: number;
  readonly created_at: number;
  readonly hub_edge_id: string | null;
  readonly hub_online: number | null;
  readonly hub_online_since: number | null;
  readonly hub_last_seen_at: number | null;
  readonly hub_reason: string | null;
  readonly hub_created_at: number | null;
  readonly hub_held_by: string | null;
  readonly hub_ended_at: number | null;
}

/**
 * Selects living devices with their hubs; the deletion of a hub or an environment includes its devices. Callers must
 * narrow it, ecosystem first.
 */
export function selectDevices(db: Sql["build"]) {
  return db
    .selectFrom("objects as o")
    .innerJoin("devices as d", (join) => join.onRef("d.ecosystem_id", "=", "o.ecosystem_id").onRef("d.id", "=", "o.id"))
    .innerJoin("objects as e", (join) =>
      join.onRef("e.ecosystem_id", "=", "o.ecosystem_id").onRef("e.id", "=", "o.environment_id"),
    )
    .leftJoin("clients as c", (join) =>
      join.onRef("c.ecosystem_id", "=", "d.ecosystem_id").onRef("c.id", "=", "d.client_id"),
    )
    .leftJoin("objects as h", (join) =>
      join.onRef("h.ecosystem_id", "=", "d.ecosystem_id").onRef("h.id", "=", "d.client_id"),
    )
    .select([
      "d.ecosystem_id",
      "d.id",
      "d.environment_id",
      "d.type",
      "d.edge_id",
      "d.client_id",
      "d.about",
      "d.online",
      "d.online_since",
      "d.last_seen_at",
      "o.alias",
      "o.meta",
      "o.version",
      "o.created_at",
      "c.edge_id as hub_edge_id",
      "c.online as hub_online",
      "c.online_since as hub_online_since",
      "c.last_seen_at as hub_last_seen_at",
      "c.reason as hub_reason",
      "h.created_at as hub_created_at",
    ])
    .select([heldBy("c").as("hub_held_by"), endedAt("c").as("hub_ended_at")])
    .where("o.gone_at", "is", null)
    .where("e.gone_at", "is", null)
    .where("h.gone_at", "is", null);
}

/** Selects devices as snapshots. When a device was last seen is derived from its values on reading, so that no report has to write it. */
export function selectSnapshots(db: Sql["build"]) {
  return selectDevices(db).select((of) =>
    of
      .selectFrom("property_values as v")
      .select((value) => value.fn.max("v.observed_at").as("at"))
      .whereRef("v.ecosystem_id", "=", "d.ecosystem_id")
      .whereRef("v.device_id", "=", "d.id")
      .as("observed_at"),
  );
}

const selectDevice = statement<{ eco: string; device: string }>("device_snapshot")((db, p) =>
  selectSnapshots(db).where("o.ecosystem_id", "=", p.eco).where("o.id", "=", p.device),
);

/** The device, or undefined when it, its hub or its environment is deleted. */
export function readDevice(sql: Sql, ecosystemId: string, deviceId: string): Promise<DeviceSnapshot | undefined> {
  return one<DeviceSnapshot>(sql.all(selectDevice, { eco: ecosystemId, device: deviceId }));
}

/** @param text a stored description: JSON that the cloud itself wrote */
export function parseDescription(text: string): Described {
  return describe(JSON.parse(text) as DeviceDescription);
}

/** The error for a device that was deleted between resolving its reference and using it. */
export function deviceNotFound(): NamedError {
  return referenceNotFound("dev");
}

export interface DeviceByEdge {
  readonly id: string;
  readonly client_id: string | null;
  readonly arrival: number;
  readonly digest: string;
  readonly online: number;
  readonly gone_at: number | null;
  /** State of the hub that it lives on. */
  readonly hub_online: number | null;
  readonly hub_since: number | null;
}

const selectByEdge = statement<{ eco: string; env: string; edge: string }>("device_by_edge")((db, p) =>
  db
    .selectFrom("devices as d")
    .innerJoin("objects as o", (join) => join.onRef("o.ecosystem_id", "=", "d.ecosystem_id").onRef("o.id", "=", "d.id"))
    .leftJoin("clients as c", (join) =>
      join.onRef("c.ecosystem_id", "=", "d.ecosystem_id").onRef("c.id", "=", "d.client_id"),
    )
    .leftJoin("objects as h", (join) =>
      join.onRef("h.ecosystem_id", "=", "d.ecosystem_id").onRef("h.id", "=", "d.client_id"),
    )
    .select((of) => [
      "d.id",
      "d.client_id",
      "d.arrival",
      "d.digest",
      "d.online",
      // The deletion of a hub deletes its devices.
      of.fn.coalesce("o.gone_at", "h.gone_at").as("gone_at"),
      "c.online as hub_online",
      "c.online_since as hub_since",
    ])
    .where("d.ecosystem_id", "=", p.eco)
    .where("d.environment_id", "=", p.env)
    .where("d.edge_id", "=", p.edge),
);
const selectDescription = statement<{ eco: string; device: string }>("device_description")((db, p) =>
  db.selectFrom("devices").select("description").where("ecosystem_id", "=", p.eco).where("id", "=", p.device),
);

/** Maps a hub's edgeId to its device, inside a write job; queried once a batch and not once a record. */
export function deviceByEdge(tx: Transaction, hub: Hub, edge: string): Promise<DeviceByEdge | undefined> {
  return one<DeviceByEdge>(tx.all(selectByEdge, { eco: hub.ecosystemId, env: hub.environmentId, edge }));
}

const selectByEdges = bulk(selectByEdge, { eco: "text", env: "text", edge: "text" });

/** A device by its hub and edgeId. */
export interface NamedDevice {
  readonly hub: Hub;
  readonly edge: string;
}

/** Many devices, in the order of their names. */
export async function devicesByEdge(
  sql: Pick<KindSql, "allOf">,
  named: readonly NamedDevice[],
): Promise<readonly (DeviceByEdge | undefined)[]> {
  const keys = named.map(({ hub, edge }) => ({ eco: hub.ecosystemId, env: hub.environmentId, edge }));
  const found: DeviceByEdge[][] = await sql.allOf(selectByEdges, keys);
  return found.map(([device]) => device);
}

/** Descriptions by device and digest, cached so that a report does not parse its device's description; bounded. */
export class Descriptions {
  readonly #known: BoundedMap<string, { readonly digest: string; readonly described: Described }>;

  /** @param limit maximum cached descriptions */
  constructor(limit = 20_000) {
    this.#known = new BoundedMap(limit);
  }

  async of(tx: Pick<Sql, "all">, ecosystemId: string, device: Pick<DeviceByEdge, "id" | "digest">): Promise<Described> {
    const known = this.#known.get(device.id);
    if (known?.digest === device.digest) return known.described;
    const row = await one(tx.all(selectDescription, { eco: ecosystemId, device: device.id }));
    const described = parseDescription(row?.description ?? "[]");
    this.#known.set(device.id, { digest: device.digest, described });
    return described;
  }
}

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
