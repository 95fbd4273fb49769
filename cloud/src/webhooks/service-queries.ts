/** The questions of this room that cross tenants: what is to be sent at all, and what is too old to be kept. */
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
