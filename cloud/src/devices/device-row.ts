/** A device with everything its resource shows, read in one row: its description, its object, and its hub. */
import type { NamedError } from "@porchlight/shared/kernel";
import { type Described, type DeviceDescription, describe } from "@porchlight/shared/model";
import { referenceNotFound } from "../access/index.ts";
import { one, type Sql, statement } from "../store/index.ts";
import { endedAt, heldBy } from "../tunnels/index.ts";

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
