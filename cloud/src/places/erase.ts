/**
 * Erasing an ecosystem with its account: nothing of it stays, no tombstone and no event. Its own file because it must know
 * every table of a tenant: one without a row here is an error of types.
 */
import { sql } from "kysely";
import { eraseHistory } from "../history/index.ts";
import { type Store, statement, type TenantTable, type Transaction } from "../store/index.ts";

/** Rows found for one transaction; what stands beside them under the same key goes with them. */
const AT_ONCE = 500;

/** By which column a few hundred rows are taken at a time, in the order in which the tables are emptied. */
const KEYS = {
  sweeps: "id",
  // Without these no hub has a say any more (see `standingOf`): what it could still bring goes after them.
  clients: "id",
  tunnels: "client_id",
  property_values: "device_id",
  zone_items: "zone_id",
  devices: "id",
  users: "id",
  access_entries: "id",
  commands: "id",
  scene_items: "scene_id",
  scene_triggers: "scene_id",
  homes: "id",
  // Without its row a webhook is called no more.
  webhooks: "id",
  webhook_cursors: "webhook_id",
  deliveries: "id",
  sinks: "ecosystem_id",
  alerts: "id",
  request_counts: "minute",
  events: "sequence",
  history_positions: "ecosystem_id",
  history_gaps: "subject_id",
  history_settings: "ecosystem_id",
  // When nothing is left that could make another.
  history_series: "series",
  // What says to the rest that it is gone goes last.
  objects: "id",
  counters: "ecosystem_id",
} as const satisfies Readonly<Record<TenantTable, string>>;

const someTokens = statement<{ eco: string }>("tokens_to_erase")((db, p) =>
  db.selectFrom("tokens").select("id").where("ecosystem_id", "=", p.eco).limit(AT_ONCE),
);

/**
 * Removes every row of an ecosystem that is gone already, a few hundred at a time, and settles when there is none. After a
 * crash it is called again. What belongs to the account as a whole (its log-ins, its audit, its request log) is not touched.
 * @throws "Service Unavailable"
 */
export async function eraseEcosystem(store: Store, ecosystemId: string): Promise<void> {
  await untilNone(store, ecosystemId, (tx) => eraseTokens(tx, ecosystemId));
  for (const [table, key] of Object.entries(KEYS)) {
    if (table === "history_series") await eraseHistory(store, ecosystemId);
    // Each key stands in its table: the record says so, and Kysely cannot see through it.
    await untilNone(store, ecosystemId, (tx) => eraseRows(tx, ecosystemId, table as TenantTable, key));
  }
  // The first thing that a job of an ecosystem does is to take its counter: the last one of all takes it along.
  await store.write(ecosystemId, async (tx) => {
    await tx.change(tx.build.deleteFrom("counters").where("ecosystem_id", "=", ecosystemId));
    await tx.change(tx.build.deleteFrom("ecosystems").where("id", "=", ecosystemId));
  });
}

async function untilNone(store: Store, eco: string, step: (tx: Transaction) => Promise<number>): Promise<void> {
  while ((await store.write(eco, step)) > 0);
}

function eraseRows(tx: Transaction, eco: string, table: TenantTable, key: string): Promise<number> {
  if (table === "counters") return Promise.resolve(0);
  const [from, by] = [sql.table(table), sql.ref(key)];
  const some = sql`select ${by} from ${from} where ecosystem_id = ${eco} limit ${sql.lit(AT_ONCE)}`;
  const erase = sql`delete from ${from} where ecosystem_id = ${eco} and ${by} in (${some})`;
  return tx.change({ compile: () => erase.compile(tx.build) });
}

/** With what is counted of each. */
async function eraseTokens(tx: Transaction, eco: string): Promise<number> {
  const ids = (await tx.all(someTokens, { eco })).map(({ id }) => id);
  if (ids.length === 0) return 0;
  await tx.change(tx.build.deleteFrom("token_uses").where("token_id", "in", ids));
  await tx.change(tx.build.deleteFrom("token_versions").where("token_id", "in", ids));
  return tx.change(tx.build.deleteFrom("tokens").where("id", "in", ids));
}
