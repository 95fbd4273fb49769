/** Webhooks in the store: their rows beside their objects, and their positions in the log. */
import { referenceNotFound, sealedColumn } from "../access/index.ts";
import { one, type Sql, statement, type Transaction, type WebhookCursorRow, type WebhookRow } from "../store/index.ts";
import { secretPurpose } from "./signature.ts";

/** The cursor that follows live events. */
const LOG = "log";

/** Includes the ID of its newest delivery. */
export type ListedWebhook = WebhookRow & { readonly last_delivery: string | null };

type Place = { eco: string; id: string };
type PageOf = { eco: string; after: string; limit: number };

const livingById = statement<Place>("living_webhook")((db, p) =>
  db
    .selectFrom("webhooks")
    .innerJoin("objects", (join) =>
      join.onRef("objects.ecosystem_id", "=", "webhooks.ecosystem_id").onRef("objects.id", "=", "webhooks.id"),
    )
    .innerJoin("ecosystems", "ecosystems.id", "webhooks.ecosystem_id")
    .leftJoin("objects as place", (join) =>
      join.onRef("place.ecosystem_id", "=", "webhooks.ecosystem_id").onRef("place.id", "=", "webhooks.environment_id"),
    )
    .selectAll("webhooks")
    .where("webhooks.ecosystem_id", "=", p.eco)
    .where("webhooks.id", "=", p.id)
    .where((of) => of(of.fn.coalesce("objects.gone_at", "place.gone_at", "ecosystems.gone_at"), "is", null)),
);
const pageOfEcosystem = statement<PageOf>("webhooks_of_ecosystem")((db, p) =>
  db
    .selectFrom("webhooks")
    .leftJoin("objects as place", (join) =>
      join.onRef("place.ecosystem_id", "=", "webhooks.ecosystem_id").onRef("place.id", "=", "webhooks.environment_id"),
    )
    .selectAll("webhooks")
    .select((of) =>
      of
        .selectFrom("deliveries")
        .select("deliveries.id")
        .whereRef("deliveries.ecosystem_id", "=", "webhooks.ecosystem_id")
        .whereRef("deliveries.webhook_id", "=", "webhooks.id")
        .orderBy("deliveries.id", "desc")
        .limit(1)
        .as("last_delivery"),
    )
    .where("webhooks.ecosystem_id", "=", p.eco)
    .where("webhooks.id", ">", p.after)
    .where("place.gone_at", "is", null)
    .orderBy("webhooks.id")
    .limit(p.limit),
);
type Changed = Place & {
  url: string;
  description: string | null;
  disabled: number;
  events: string;
  secrets: string;
  failing: number | null;
};
const change = statement<Changed>("change_webhook")((db, p) =>
  db
    .updateTable("webhooks")
    .set({
      url: p.url,
      description: p.description,
      disabled: p.disabled,
      events: p.events,
      secrets: p.secrets,
      failing_since: p.failing,
    })
    .where("ecosystem_id", "=", p.eco)
    .where("id", "=", p.id),
);
const drop = statement<Place>("drop_webhook")((db, p) =>
  db.deleteFrom("webhooks").where("ecosystem_id", "=", p.eco).where("id", "=", p.id),
);
const dropCursors = statement<Place>("drop_cursors_of_webhook")((db, p) =>
  db.deleteFrom("webhook_cursors").where("ecosystem_id", "=", p.eco).where("webhook_id", "=", p.id),
);
const cursors = statement<Place>("cursors_of_webhook")((db, p) =>
  db
    .selectFrom("webhook_cursors")
    .selectAll()
    .where("ecosystem_id", "=", p.eco)
    .where("webhook_id", "=", p.id)
    .orderBy("id"),
);
const newestCounted = statement<{ eco: string }>("newest_sequence_counted")((db, p) =>
  db.selectFrom("counters").select("sequence").where("ecosystem_id", "=", p.eco),
);
const newestStored = statement<{ eco: string }>("newest_sequence_stored")((db, p) =>
  db.selectFrom("events").select("sequence").where("ecosystem_id", "=", p.eco).orderBy("sequence", "desc").limit(1),
);
type CursorAt = Place & { cursor: string; position: number };
const moveLog = statement<CursorAt>("move_cursor_of_webhook")((db, p) =>
  db
    .updateTable("webhook_cursors")
    .set({ position: p.position })
    .where("ecosystem_id", "=", p.eco)
    .where("webhook_id", "=", p.id)
    .where("id", "=", p.cursor),
);

/** Undefined when the webhook, its environment or its ecosystem is deleted. */
export function findLivingWebhook(sql: Sql, eco: string, id: string): Promise<WebhookRow | undefined> {
  return one(sql.all(livingById, { eco, id }));
}

/** @throws "Webhook Not Found" */
export async function livingWebhook(sql: Sql, eco: string, id: string): Promise<WebhookRow> {
  const row = await findLivingWebhook(sql, eco, id);
  if (!row) throw referenceNotFound("whk");
  return row;
}

/** Webhooks, oldest first, after the one with that ID. */
export function listWebhooks(sql: Sql, eco: string, after: string, limit: number): Promise<ListedWebhook[]> {
  return sql.all(pageOfEcosystem, { eco, after, limit });
}

/** The secrets of all webhooks, for sealing with a new key. */
export const SEALED_WEBHOOKS = sealedColumn({
  table: "webhooks",
  column: "secrets",
  key: ["ecosystem_id", "id"],
  purpose: (_ecosystem, id) => secretPurpose(id),
  isTenants: true,
});

/** Stores the row beside its object. Events from now on are sent. */
export async function insertWebhook(tx: Transaction, row: WebhookRow): Promise<void> {
  await tx.change(tx.build.insertInto("webhooks").values(row));
  const { ecosystem_id, id } = row;
  const position = await newestSequence(tx, ecosystem_id);
  await insertCursor(tx, { ecosystem_id, webhook_id: id, id: LOG, position, until: null });
}

export async function insertCursor(
  tx: Transaction,
  row: { ecosystem_id: string; webhook_id: string; id: string; position: number; until: number | null },
): Promise<void> {
  await tx.change(tx.build.insertInto("webhook_cursors").values(row));
}

export async function changeWebhook(tx: Transaction, row: WebhookRow): Promise<void> {
  const { ecosystem_id: eco, id, url, description, disabled, events, secrets, failing_since: failing } = row;
  await tx.run(change, { eco, id, url, description, disabled, events, secrets, failing });
}

/** Deletes the webhook with its secrets; the sweep deletes its deliveries. */
export async function dropWebhook(tx: Transaction, eco: string, id: string): Promise<void> {
  await tx.run(drop, { eco, id });
  await tx.run(dropCursors, { eco, id });
}

/** Moves its cursor to the end of the log: events from while it was disabled are not sent. */
export async function followFromNow(tx: Transaction, eco: string, id: string): Promise<void> {
  await tx.run(moveLog, { eco, id, cursor: LOG, position: await newestSequence(tx, eco) });
}

/** Sequence of the ecosystem's newest event, including those of earlier jobs in this transaction. */
export async function newestSequence(tx: Transaction, eco: string): Promise<number> {
  const counted = await one(tx.all(newestCounted, { eco }));
  const stored = await one(tx.all(newestStored, { eco }));
  return Math.max(counted?.sequence ?? 0, stored?.sequence ?? 0);
}

/** Its positions: in the log, and in each replay. */
export function cursorsOf(sql: Sql, eco: string, id: string): Promise<WebhookCursorRow[]> {
  return sql.all(cursors, { eco, id });
}
