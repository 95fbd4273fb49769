/** What is asked of hubs beyond the hubs themselves. */
import type { Porchlight } from "@porchlight/sdk";
import { queryOptions } from "@tanstack/react-query";

/** Uses are no events, so it is asked again while it is looked at. */
export const tokensOfClientQuery = (api: Porchlight, clientId: string) =>
  queryOptions({
    queryKey: ["clients", "tokens", clientId],
    queryFn: ({ signal }) => api.clients.tokens(clientId, { signal }).all(),
    refetchInterval: 10_000,
  });

/** What the hub's drivers are and see is on the hub alone, and is no event: it is asked again while it is looked at. */
export const driversQuery = (api: Porchlight, clientId: string) =>
  queryOptions({
    queryKey: ["clients", "drivers", clientId],
    queryFn: ({ signal }) => api.clients.drivers(clientId, { signal }),
    refetchInterval: 5000,
    retry: false,
  });

/** The hub that waits under a code. Each question with a wrong one counts against the account, so it is asked once. */
export const pairingQuery = (api: Porchlight, code: string) =>
  queryOptions({
    queryKey: ["pairings", code],
    queryFn: ({ signal }) => api.pairings.get(code, { signal }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
