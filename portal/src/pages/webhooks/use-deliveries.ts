/** Deliveries of a webhook, live: asked again when something happens that may be sent, and when an attempt is due. */
import type { WebhookDelivery } from "@porchlight/shared/api";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef } from "react";
import { deliveriesQuery } from "../../data/webhooks.ts";
import { useEvents } from "../../live/context.tsx";
import { useApi } from "../../session/context.tsx";

export function useDeliveries(webhookId: string) {
  const api = useApi();
  const queries = useQueryClient();
  // What happened just before the page stood here is being sent.
  const stirred = useRef(Date.now());
  const query = useInfiniteQuery({
    ...deliveriesQuery(api, webhookId),
    refetchInterval: ({ state }) => lookAgain(deliveriesOf(state.data), Date.now(), stirred.current),
  });
  /** Something was or will be sent. */
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

// When to ask again what became of deliveries: soon while something goes on, when the next attempt is due, else now and then.

/** While something goes on, ms. */
const SOON = 1000;
/** After something has happened that is sent, or that somebody asked for, something goes on for so long, ms. */
const BUSY = 6000;
/** An attempt may last 15 s, ms. */
const ATTEMPT = 15_000;
/** When nothing goes on, ms. */
const SELDOM = 30_000;

/**
 * @param newest those that are shown @param now wall clock, ms @param lastStir when something last happened
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
