/** Maps a hub's edgeId to its device, inside a write job; queried once a batch and not once a record. */
import { BoundedMap } from "@porchlight/shared/kernel";
import type { Described } from "@porchlight/shared/model";
import { bulk, type KindSql, one, type Sql, statement, type Transaction } from "../store/index.ts";
import type { Hub } from "../tunnels/index.ts";
import { parseDescription } from "./device-row.ts";

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
