/** Deliveries of a webhook, live: asked again when something happens that may be sent, and when an attempt is due. */
import type { WebhookDelivery } from "@porchlight/shared/api";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef } from "react";
import { deliveriesQuery } from "../../data/webhooks.ts";
import { useEvents } from "../../live/context.tsx";
import { useApi } from "../../session/context.tsx";
import { lookAgain } from "./look-again.ts";

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
