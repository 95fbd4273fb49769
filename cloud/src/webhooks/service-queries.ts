/** This module's queries across tenants: webhooks with work, the shares of nodes, and ecosystems with deliveries. */
import { one, type Store, statement } from "../store/index.ts";

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
        // A caller requested an individual delivery.
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
/** Every living sender with each of its shares, and the notifications for this node. */
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
  /** Null for a node without shares. */
  readonly share: number | null;
  readonly call_id: string | null;
  readonly ecosystem_id: string | null;
  readonly webhook_id: string | null;
}

/** The current shares of webhooks, in one query. @param node whose notifications are included */
export function findStanding(store: Store, node: string): Promise<ShareRow[]> {
  return store.service.all(standing, { node });
}

export interface WebhookKey {
  readonly ecosystem_id: string;
  readonly id: string;
}

/** Webhooks that have or may have work, in order, after the given one. */
export function findActiveWebhooks(
  store: Store,
  { ecosystem_id: eco, id }: WebhookKey,
  limit: number,
): Promise<WebhookKey[]> {
  return store.service.all(activeAfter, { eco, id, limit });
}

/** The next ecosystem with deliveries; undefined after the last. */
export async function nextEcosystemWithDeliveries(store: Store, eco: string): Promise<string | undefined> {
  return (await one(store.service.all(ecosystemAfter, { eco })))?.ecosystem_id;
}
