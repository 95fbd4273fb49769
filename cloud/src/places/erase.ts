/**
 * Erases an ecosystem with its account, without a tombstone or an event. It must list every table of a tenant: a
 * missing table is a type error.
 */
import { sql } from "kysely";
import { eraseHistory } from "../history/index.ts";
import { type Store, statement, type TenantTable, type Transaction } from "../store/index.ts";

/** Rows selected for one transaction; further rows with the same key are deleted with them. */
const AT_ONCE = 500;

/** The column by which a few hundred rows are selected at a time, in the order in which the tables are emptied. */
const KEYS = {
  sweeps: "id",
  // Without these rows no hub can write any more (see `standingOf`): its data is deleted after them.
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
  // Without its row a webhook is not called any more.
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
  // After everything that could create another series.
  history_series: "series",
  // Last, because the object's row marks the rest as deleted.
  objects: "id",
  counters: "ecosystem_id",
} as const satisfies Readonly<Record<TenantTable, string>>;

const someTokens = statement<{ eco: string }>("tokens_to_erase")((db, p) =>
  db.selectFrom("tokens").select("id").where("ecosystem_id", "=", p.eco).limit(AT_ONCE),
);

/**
 * Deletes every row of an already deleted ecosystem, a few hundred at a time, and resolves when none is left. After a
 * crash it is called again. Data of the account as a whole (its log-ins, its audit, its request log) is not touched.
 * @throws "Service Unavailable"
 */
export async function eraseEcosystem(store: Store, ecosystemId: string): Promise<void> {
  await untilNone(store, ecosystemId, (tx) => eraseTokens(tx, ecosystemId));
  for (const [table, key] of Object.entries(KEYS)) {
    if (table === "history_series") await eraseHistory(store, ecosystemId);
    // Each key is a column of its table: the record's type guarantees it, and Kysely cannot infer it.
    await untilNone(store, ecosystemId, (tx) => eraseRows(tx, ecosystemId, table as TenantTable, key));
  }
  // A job of an ecosystem locks its counter row first: the last job deletes it.
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

/** Deletes tokens with their usage counts. */
async function eraseTokens(tx: Transaction, eco: string): Promise<number> {
  const ids = (await tx.all(someTokens, { eco })).map(({ id }) => id);
  if (ids.length === 0) return 0;
  await tx.change(tx.build.deleteFrom("token_uses").where("token_id", "in", ids));
  await tx.change(tx.build.deleteFrom("token_versions").where("token_id", "in", ids));
  return tx.change(tx.build.deleteFrom("tokens").where("id", "in", ids));
}
