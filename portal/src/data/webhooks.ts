/** What is asked of one webhook: itself, what was sent to it, and why it was disabled. */
import type { Porchlight } from "@porchlight/sdk";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";

export const webhookQuery = (api: Porchlight, webhookId: string) =>
  queryOptions({
    queryKey: ["webhooks", "one", webhookId],
    queryFn: ({ signal }) => api.webhooks.get(webhookId, { signal }),
  });

/** Deliveries a page. */
const PAGE = 50;

/** The newest first. What becomes of them is no event: who looks at them says when to ask again. */
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

/** Why the service itself has disabled it: the audit knows. "failing", "gone", or undefined when a person did. */
export const disabledReasonQuery = (api: Porchlight, ecosystemId: string, webhookId: string) =>
  queryOptions({
    queryKey: ["webhooks", "disabled", webhookId],
    queryFn: async ({ signal }) => ({ reason: await disabledReason(api, ecosystemId, webhookId, signal) }),
  });

/** Pages of the audit that are gone through at the most. */
const MOST_PAGES = 5;

async function disabledReason(api: Porchlight, ecosystemId: string, webhookId: string, signal: AbortSignal) {
  let pages = 0;
  for await (const { items } of api.service.audit({ ecosystemId, order: "newest" }, { signal }).pages()) {
    // Whoever changed it last, a person or the service, has disabled it.
    const last = items.find(
      ({ action, objectId }) => objectId === webhookId && /^webhook\.(?:disabled|updated|created)$/.test(action),
    );
    if (last) return last.action === "webhook.disabled" ? String(last.detail?.reason ?? "") : undefined;
    pages += 1;
    if (pages === MOST_PAGES) break;
  }
  return undefined;
}
