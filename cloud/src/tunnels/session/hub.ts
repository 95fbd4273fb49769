/** One connection of one hub, as every write for it must prove: its epoch is still the newest. */
import type { Id } from "@porchlight/shared/kernel";
import { bulk, type KindSql, statement, type Transaction } from "../../store/index.ts";

export interface Hub {
  readonly ecosystemId: string;
  readonly environmentId: string;
  readonly clientId: Id<"cli">;
  readonly edgeId: string;
  /** Grows with every connection of the client, on any node (T3). */
  readonly epoch: number;
  /** Names the hub's history, which all its record numbers belong to (T6). */
  readonly logId: string;
}

/** A newer connection of the client has taken over: this one no longer has any effect. */
export class Superseded extends Error {
  constructor(hub: Hub) {
    super(`epoch ${hub.epoch} of ${hub.clientId} is not the newest any more`);
  }
}

/** The predecessor of a batch on its connection was not stored: the hub sends both again. */
export class GapInHistory extends Error {
  constructor(hub: Hub, position: number, after: number) {
    super(`${hub.clientId} is stored up to ${position}, and this batch follows ${after}`);
  }
}

/** The stored position of the hub's history. */
export interface EpochStanding {
  /** Everything up to this number is stored with its effects. */
  readonly position: number;
  readonly inventoryDigest: string | null;
}

type StandingRow = { epoch: number; position: number; inventory_digest: string | null };

const selectStanding = statement<{ eco: string; client: string }>("hub_standing")((db, p) =>
  db
    .selectFrom("clients")
    .select(["epoch", "position", "inventory_digest"])
    .where("ecosystem_id", "=", p.eco)
    .where("id", "=", p.client),
);

const selectStandings = bulk(selectStanding, { eco: "text", client: "text" });

/** The standings of many connections, in their order; undefined for a superseded connection. */
export async function standingsOf(
  sql: Pick<KindSql, "allOf">,
  hubs: readonly Hub[],
): Promise<readonly (EpochStanding | undefined)[]> {
  const keys = hubs.map(({ ecosystemId: eco, clientId: client }) => ({ eco, client }));
  const found: StandingRow[][] = await sql.allOf(selectStandings, keys);
  return hubs.map(({ epoch }, at) => {
    const row = found[at]?.[0];
    return row?.epoch === epoch ? { position: row.position, inventoryDigest: row.inventory_digest } : undefined;
  });
}

/**
 * Must be the first call of every write job of a tunnel.
 * @throws Superseded
 */
export async function standingOf(tx: Transaction, hub: Hub): Promise<EpochStanding> {
  const rows: StandingRow[] = await tx.all(selectStanding, { eco: hub.ecosystemId, client: hub.clientId });
  const row = rows[0];
  if (row?.epoch !== hub.epoch) throw new Superseded(hub);
  return { position: row.position, inventoryDigest: row.inventory_digest };
}
