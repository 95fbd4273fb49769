/** Open and ended alerts of the account's ecosystems, and the settings of alert notifications. */
import type { Porchlight } from "@porchlight/sdk";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";

/** Alerts per page: many of the open ones, few of the ended ones. */
const PAGE = { open: 50, ended: 10 } as const;
/** Poll interval in ms: events cover only the current ecosystem, and alerts are shown for all of them. */
const AGAIN = 30_000;

/** Newest first, page by page: one kind of alert can occur thousands of times. */
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
