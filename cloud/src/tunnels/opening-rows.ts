/** The connection rows of clients: those that an opening reads, and those that it writes; many openings share one statement. */
import { bulk, type KindSql, statement } from "../store/index.ts";

/** Maximum connections of the last day that are read: above it, the exact number makes no difference. */
export const MOST_PAST = 200;

type Client = { eco: string; client: string };
type Opened = Client & {
  key: string;
  edge: string;
  epoch: number;
  log: string;
  position: number;
  version: string;
  scenes: number;
  since: number;
  at: number;
};

const bindClient = statement<Opened>("open_client")((db, p) =>
  db
    .updateTable("clients")
    .set({
      public_key: p.key,
      edge_id: p.edge,
      epoch: p.epoch,
      log_id: p.log,
      position: p.position,
      agent_version: p.version,
      stores_scenes: p.scenes,
      online: 1,
      online_since: p.since,
      last_seen_at: p.at,
      reason: null,
    })
    .where("ecosystem_id", "=", p.eco)
    .where("id", "=", p.client),
);
const bindClients = bulk(bindClient, {
  ...{ eco: "text", client: "text", key: "text", edge: "text", epoch: "bigint", log: "text" },
  ...{ position: "bigint", version: "text", scenes: "bigint", since: "bigint", at: "bigint" },
});
const endOlder = statement<Client & { at: number; reason: string }>("supersede_tunnels")((db, p) =>
  db
    .updateTable("tunnels")
    .set({ closed_at: p.at, reason: p.reason })
    .where("ecosystem_id", "=", p.eco)
    .where("client_id", "=", p.client)
    .where("closed_at", "is", null),
);
const endAllOlder = bulk(endOlder, { eco: "text", client: "text", at: "bigint", reason: "text" });
const forgetOld = statement<Client & { before: number }>("forget_tunnels")((db, p) =>
  db
    .deleteFrom("tunnels")
    .where("ecosystem_id", "=", p.eco)
    .where("client_id", "=", p.client)
    .where("closed_at", "<", p.before),
);
type Inserted = Client & { epoch: number; node: string; at: number; instance: string; kept: number };
const insertTunnel = statement<Inserted>("insert_tunnel")((db, p) =>
  db.insertInto("tunnels").values({
    ecosystem_id: p.eco,
    client_id: p.client,
    epoch: p.epoch,
    node_id: p.node,
    opened_at: p.at,
    closed_at: null,
    reason: null,
    instance: p.instance,
    kept: p.kept,
  }),
);
const insertTunnels = bulk(insertTunnel, {
  ...{ eco: "text", client: "text", epoch: "bigint", node: "text", at: "bigint", instance: "text", kept: "bigint" },
});
const selectPast = statement<Client>("past_tunnels")((db, p) =>
  db
    .selectFrom("tunnels as t")
    .leftJoin("nodes as n", "n.id", "t.node_id")
    .select(["t.epoch", "t.node_id", "t.opened_at", "t.closed_at", "t.reason", "t.instance", "t.kept"])
    .select("n.id as living_node")
    .where("t.ecosystem_id", "=", p.eco)
    .where("t.client_id", "=", p.client)
    .orderBy("t.epoch", "desc")
    .limit(MOST_PAST),
);
export type Past = NonNullable<(typeof selectPast)["types"]>["row"];
const selectAllPast = bulk(selectPast, { eco: "text", client: "text" });

/** The earlier connections of each client, the newest first. */
export function readPast(sql: Pick<KindSql, "allOf">, clients: readonly Client[]): Promise<readonly Past[][]> {
  return sql.allOf(selectAllPast, clients);
}

/** The rows that openings write; no client may be in it twice. */
export class OpeningWrites {
  readonly bound: Opened[] = [];
  readonly ended: (Client & { at: number; reason: string })[] = [];
  readonly inserted: Inserted[] = [];
  readonly forgotten: (Client & { before: number })[] = [];

  write(sql: KindSql): void {
    if (this.bound.length > 0) sql.later(sql.runOf(bindClients, this.bound));
    if (this.ended.length > 0) sql.later(sql.runOf(endAllOlder, this.ended));
    for (const old of this.forgotten) sql.later(sql.run(forgetOld, old));
    if (this.inserted.length > 0) sql.later(sql.runOf(insertTunnels, this.inserted));
  }
}
