/** The live deliveries of a webhook: refetched after events that may be delivered, and when an attempt is due. */
import type { Porchlight } from "@porchlight/sdk";
import type { WebhookDelivery } from "@porchlight/shared/api";
import { infiniteQueryOptions, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef } from "react";
import { useEvents } from "../../live/context.tsx";
import { useApi } from "../../session/context.tsx";

/** Deliveries per page. */
const PAGE = 50;

/** Newest first. No event reports their outcome, so the caller decides when to poll. */
const deliveriesQuery = (api: Porchlight, webhookId: string) =>
  infiniteQueryOptions({
    queryKey: ["deliveries", webhookId],
    queryFn: ({ pageParam, signal }) =>
      api.webhooks.deliveries(webhookId, { order: "newest", pageSize: PAGE, signal }).page(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ continuationToken }) => continuationToken,
  });

export function useDeliveries(webhookId: string) {
  const api = useApi();
  const queries = useQueryClient();
  // An event from just before the page opened may still be in delivery.
  const stirred = useRef(Date.now());
  const query = useInfiniteQuery({
    ...deliveriesQuery(api, webhookId),
    refetchInterval: ({ state }) => lookAgain(deliveriesOf(state.data), Date.now(), stirred.current),
  });
  /** Marks that a delivery was or will be sent. */
  const stir = useCallback(() => {
    const isNew = Date.now() - stirred.current > 1000;
    stirred.current = Date.now();
    if (isNew) void queries.invalidateQueries({ queryKey: ["deliveries", webhookId] });
  }, [queries, webhookId]);
  useEvents(stir);
  return { query, stir };
}

export function deliveriesOf(
  data: { readonly pages: readonly { readonly items: readonly WebhookDelivery[] }[] } | undefined,
) {
  return data?.pages.flatMap(({ items }) => items) ?? [];
}

/** Poll interval in ms during activity. */
const SOON = 1000;
/** Duration of activity in ms after an event or a user's request. */
const BUSY = 6000;
/** Maximum duration of an attempt: 15 s, in ms. */
const ATTEMPT = 15_000;
/** Poll interval in ms without activity. */
const SELDOM = 30_000;

/**
 * When to refetch the deliveries: soon during activity, when the next attempt is due, otherwise seldom.
 * @param newest the displayed deliveries
 * @param now wall clock, in ms
 * @param lastStir time of the last activity
 * @returns ms from now
 */
export function lookAgain(
  newest: readonly Pick<WebhookDelivery, "state" | "nextAttemptAt">[],
  now: number,
  lastStir: number,
): number {
  if (now - lastStir < BUSY) return SOON;
  const due = newest.flatMap(({ state, nextAttemptAt }) =>
    state === "pending" && nextAttemptAt !== undefined ? [Date.parse(nextAttemptAt.replace(" ", "T")) - now] : [],
  );
  const next = Math.min(...due.filter((wait) => wait > -ATTEMPT));
  return Math.min(SELDOM, Math.max(SOON, next));
}
