/** Deletes deliveries after 30 days, and those of deleted webhooks: their IDs contain their age. */
import { firstIdOf, type Log } from "@porchlight/shared/kernel";
import { SERVICE_TIMES } from "@porchlight/shared/presentation";
import { type Store, statement, type Transaction } from "../../store/index.ts";
import { nextEcosystemWithDeliveries } from "../service-queries.ts";

/** How long deliveries are kept after they were made, ms. */
/** Rows of one job. */
const SLICE = 500;

type Old = { eco: string; before: string };
const old = statement<Old>("old_deliveries")((db, p) =>
  db
    .selectFrom("deliveries")
    .select("id")
    .where("ecosystem_id", "=", p.eco)
    .where("id", "<", p.before)
    .orderBy("id")
    .limit(SLICE),
);
/** Steps over the index, so that the number of deliveries of each webhook does not matter. */
const nextWebhook = statement<{ eco: string; after: string }>("webhook_with_deliveries_after")((db, p) =>
  db
    .selectFrom("deliveries")
    .select("webhook_id")
    .where("ecosystem_id", "=", p.eco)
    .where("webhook_id", ">", p.after)
    .orderBy("webhook_id")
    .limit(1),
);
const livingRow = statement<{ eco: string; id: string }>("webhook_row")((db, p) =>
  db.selectFrom("webhooks").select("id").where("ecosystem_id", "=", p.eco).where("id", "=", p.id),
);
const ofWebhook = statement<{ eco: string; webhook: string }>("deliveries_to_sweep")((db, p) =>
  db
    .selectFrom("deliveries")
    .select("id")
    .where("ecosystem_id", "=", p.eco)
    .where("webhook_id", "=", p.webhook)
    .limit(SLICE),
);

/**
 * Deletes expired deliveries; those of an ecosystem whose job fails wait for the next sweep.
 * @param now wall-clock ms @param goesOn whether another job may start @throws "Service Unavailable"
 */
export async function sweepDeliveries(store: Store, log: Log, now: number, goesOn: () => boolean): Promise<void> {
  const before = firstIdOf("dlv", now - SERVICE_TIMES.deliveriesKept);
  for (let eco = await nextEcosystemWithDeliveries(store, ""); eco !== undefined && goesOn(); ) {
    await store.setAside.each([eco], {
      ...{ loop: "webhook_retention", log, about: (ecosystem) => ({ ecosystem }) },
      work: async ([of = ""]) => {
        await untilFew(goesOn, () =>
          store.write(of, async (tx) => remove(tx, of, await tx.all(old, { eco: of, before }))),
        );
        await sweepOrphans(store, of, goesOn);
      },
    });
    eco = await nextEcosystemWithDeliveries(store, eco);
  }
}

/** Deletes deliveries of deleted webhooks. */
async function sweepOrphans(store: Store, eco: string, goesOn: () => boolean): Promise<void> {
  const { sql } = store.of(eco);
  for (let after = ""; goesOn(); ) {
    const [next] = await sql.all(nextWebhook, { eco, after });
    if (!next) return;
    after = next.webhook_id;
    const webhook = after;
    if ((await sql.all(livingRow, { eco, id: webhook })).length > 0) continue;
    await untilFew(goesOn, () =>
      store.write(eco, async (tx) => remove(tx, eco, await tx.all(ofWebhook, { eco, webhook }))),
    );
  }
}

async function remove(tx: Transaction, eco: string, rows: readonly { readonly id: string }[]): Promise<number> {
  if (rows.length === 0) return 0;
  const ids = rows.map(({ id }) => id);
  await tx.change(tx.build.deleteFrom("deliveries").where("ecosystem_id", "=", eco).where("id", "in", ids));
  return rows.length;
}

async function untilFew(goesOn: () => boolean, step: () => Promise<number>): Promise<void> {
  while ((await step()) === SLICE && goesOn());
}
