/** What is wrong in the account's ecosystems, what was, and which of it the account is told. */
import type { Porchlight } from "@porchlight/sdk";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";

/** Alerts a page: all that is wrong is to be seen, of what was the latest. */
const PAGE = { open: 50, ended: 10 } as const;
/** Events tell only of the ecosystem that is looked at, and alerts are shown of all. ms. */
const AGAIN = 30_000;

/** Newest first. Of one kind of trouble there may be thousands: page by page. */
export const alertsQuery = (api: Porchlight, state: "open" | "ended") =>
  infiniteQueryOptions({
    queryKey: ["alerts", state],
    queryFn: ({ pageParam, signal }) =>
      api.alerts.list({ state, order: "newest" }, { pageSize: PAGE[state], signal }).page(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ continuationToken }) => continuationToken,
    refetchInterval: AGAIN,
  });

export const alertSettingsQuery = (api: Porchlight) =>
  queryOptions({ queryKey: ["alert-settings"], queryFn: ({ signal }) => api.alerts.settings({ signal }) });
