/** The questions of this module that cross tenants: what must be sent at all, by which node, and what is too old to be kept. */
import { one, type Store, statement } from "../../store/index.ts";

type After = { eco: string; id: string; limit: number };
const activeAfter = statement<After>("active_webhooks_after")((db, p) =>
  db
    .selectFrom("webhooks")
    .select(["ecosystem_id", "id"])
    .where((of) =>
      of.or([
        of("ecosystem_id", ">", of.val(p.eco)),
        of.and([of("ecosystem_id", "=", of.val(p.eco)), of("id", ">", of.val(p.id))]),
      ]),
    )
    .where((of) =>
      of.or([
        of("disabled", "=", 0),
        // Somebody has asked for a delivery by itself.
        of.exists(
          of
            .selectFrom("deliveries")
            .select("deliveries.id")
            .whereRef("deliveries.ecosystem_id", "=", "webhooks.ecosystem_id")
            .whereRef("deliveries.webhook_id", "=", "webhooks.id")
            .where("next_attempt_at", "is not", null),
        ),
      ]),
    )
    .orderBy("ecosystem_id")
    .orderBy("id")
    .limit(p.limit),
);
const ecosystemAfter = statement<{ eco: string }>("oldest_delivery_after_ecosystem")((db, p) =>
  db.selectFrom("deliveries").select("ecosystem_id").where("ecosystem_id", ">", p.eco).orderBy("ecosystem_id").limit(1),
);
/** Every living node that sends, with each share that it has, and with what this one is called for. */
const standing = statement<{ node: string }>("webhook_shares_standing")((db, p) =>
  db
    .selectFrom("webhook_nodes as w")
    .innerJoin("nodes as n", "n.id", "w.node_id")
    .leftJoin("webhook_shares as s", "s.node_id", "w.node_id")
    .leftJoin("webhook_calls as c", (join) => join.onRef("c.share", "=", "s.share").on("s.node_id", "=", p.node))
    .select(["w.node_id", "s.share", "c.id as call_id", "c.ecosystem_id", "c.webhook_id"]),
);

export interface ShareRow {
  readonly node_id: string;
  /** Null of a node that has none. */
  readonly share: number | null;
  readonly call_id: string | null;
  readonly ecosystem_id: string | null;
  readonly webhook_id: string | null;
}

/** How the shares of webhooks stand now, in one look. @param node whose calls are told too */
export function findStanding(store: Store, node: string): Promise<ShareRow[]> {
  return store.service.all(standing, { node });
}

export interface WebhookKey {
  readonly ecosystem_id: string;
  readonly id: string;
}

/** In order, those that have or may have something to send, after that one. */
export function findActiveWebhooks(
  store: Store,
  { ecosystem_id: eco, id }: WebhookKey,
  limit: number,
): Promise<WebhookKey[]> {
  return store.service.all(activeAfter, { eco, id, limit });
}

/** The next ecosystem that has deliveries; undefined past the last. */
export async function nextEcosystemWithDeliveries(store: Store, eco: string): Promise<string | undefined> {
  return (await one(store.service.all(ecosystemAfter, { eco })))?.ecosystem_id;
}
