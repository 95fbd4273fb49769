/** Queries about one webhook: its settings, its deliveries, and the reason why it is disabled. */
import type { Porchlight } from "@porchlight/sdk";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";

export const webhookQuery = (api: Porchlight, webhookId: string) =>
  queryOptions({
    queryKey: ["webhooks", "one", webhookId],
    queryFn: ({ signal }) => api.webhooks.get(webhookId, { signal }),
  });

/** Deliveries per page. */
const PAGE = 50;

/** Newest first. No event reports their outcome, so the caller decides when to poll. */
export const deliveriesQuery = (api: Porchlight, webhookId: string) =>
  infiniteQueryOptions({
    queryKey: ["deliveries", webhookId],
    queryFn: ({ pageParam, signal }) =>
      api.webhooks.deliveries(webhookId, { order: "newest", pageSize: PAGE, signal }).page(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ continuationToken }) => continuationToken,
  });

export const deliveryQuery = (api: Porchlight, webhookId: string, deliveryId: string) =>
  queryOptions({
    queryKey: ["deliveries", webhookId, deliveryId],
    queryFn: ({ signal }) => api.webhooks.delivery(webhookId, deliveryId, { signal }),
  });

/** Why the service disabled the webhook, from the audit log: "failing" or "gone"; undefined when a person disabled it. */
export const disabledReasonQuery = (api: Porchlight, ecosystemId: string, webhookId: string) =>
  queryOptions({
    queryKey: ["webhooks", "disabled", webhookId],
    queryFn: async ({ signal }) => ({ reason: await disabledReason(api, ecosystemId, webhookId, signal) }),
  });

/** Maximum number of audit pages to search. */
const MOST_PAGES = 5;

async function disabledReason(api: Porchlight, ecosystemId: string, webhookId: string, signal: AbortSignal) {
  let pages = 0;
  for await (const { items } of api.service.audit({ ecosystemId, order: "newest" }, { signal }).pages()) {
    // The latest such entry of the webhook, by a person or by the service, is the one that disabled it.
    const last = items.find(
      ({ action, objectId }) => objectId === webhookId && /^webhook\.(?:disabled|updated|created)$/.test(action),
    );
    if (last) return last.action === "webhook.disabled" ? String(last.detail?.reason ?? "") : undefined;
    pages += 1;
    if (pages === MOST_PAGES) break;
  }
  return undefined;
}
