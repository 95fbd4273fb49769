/** What is asked of hubs beyond the hubs themselves. */
import type { Porchlight } from "@porchlight/sdk";
import type { LogLevel } from "@porchlight/shared/api";
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

/** What the hub's bridge to Matter last said, likewise; null while none runs. */
export const matterBridgeQuery = (api: Porchlight, clientId: string) =>
  queryOptions({
    queryKey: ["clients", "matter", clientId],
    queryFn: async ({ signal }) => (await api.clients.matterBridge(clientId, { signal })) ?? null,
    refetchInterval: 10_000,
    retry: false,
  });

/** What the hub says of itself; it changes by itself, so it is asked again while it is looked at. */
export const hubStatusQuery = (api: Porchlight, clientId: string) =>
  queryOptions({
    queryKey: ["clients", "status", clientId],
    queryFn: ({ signal }) => api.clients.status(clientId, { signal }),
    refetchInterval: 15_000,
    retry: false,
  });

/** A person says when the hub looks again: each time it opens connections and files. */
const WHEN_ASKED = {
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
  retry: false,
} as const;

export const hubDoctorQuery = (api: Porchlight, clientId: string) =>
  queryOptions({
    queryKey: ["clients", "doctor", clientId],
    queryFn: ({ signal }) => api.clients.doctor(clientId, { signal }),
    ...WHEN_ASKED,
  });

export const hubLogQuery = (api: Porchlight, clientId: string, about: { minutes: number; level: LogLevel }) =>
  queryOptions({
    queryKey: ["clients", "logs", clientId, about],
    queryFn: ({ signal }) => api.clients.logs(clientId, { ...about, signal }),
    ...WHEN_ASKED,
  });

export const hubBackupsQuery = (api: Porchlight, clientId: string) =>
  queryOptions({
    queryKey: ["clients", "backups", clientId],
    queryFn: ({ signal }) => api.clients.backups(clientId, { signal }),
    ...WHEN_ASKED,
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
