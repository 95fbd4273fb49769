/** Queries about hubs beyond the list of hubs, and since when a hub or device is away, in the same way on every page. */
import type { Porchlight } from "@porchlight/sdk";
import type { Client, Device, LogLevel } from "@porchlight/shared/api";
import { queryOptions } from "@tanstack/react-query";

/** No event reports the use of a token, so the query polls while a page shows it. */
export const tokensOfClientQuery = (api: Porchlight, clientId: string) =>
  queryOptions({
    queryKey: ["clients", "tokens", clientId],
    queryFn: ({ signal }) => api.clients.tokens(clientId, { signal }).all(),
    refetchInterval: 10_000,
  });

/**
 * The hub's drivers and the devices they see. Only the hub has this data and no event reports it, so the query polls while a page shows it.
 */
export const driversQuery = (api: Porchlight, clientId: string) =>
  queryOptions({
    queryKey: ["clients", "drivers", clientId],
    queryFn: ({ signal }) => api.clients.drivers(clientId, { signal }),
    refetchInterval: 5000,
    retry: false,
  });

/** The last report of the hub's Matter bridge, polled likewise; null while no bridge runs. */
export const matterBridgeQuery = (api: Porchlight, clientId: string) =>
  queryOptions({
    queryKey: ["clients", "matter", clientId],
    queryFn: async ({ signal }) => (await api.clients.matterBridge(clientId, { signal })) ?? null,
    refetchInterval: 10_000,
    retry: false,
  });

/** The hub's status report. It changes without an event, so the query polls while a page shows it. */
export const hubStatusQuery = (api: Porchlight, clientId: string) =>
  queryOptions({
    queryKey: ["clients", "status", clientId],
    queryFn: ({ signal }) => api.clients.status(clientId, { signal }),
    refetchInterval: 15_000,
    retry: false,
  });

/** Refetched only on the user's request, because each check makes the hub open connections and files. */
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

/**
 * The hub that waits for approval under a pairing code. Each request with a wrong code counts against the account, so it is sent only once.
 */
export const pairingQuery = (api: Porchlight, code: string) =>
  queryOptions({
    queryKey: ["pairings", code],
    queryFn: ({ signal }) => api.pairings.get(code, { signal }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

/**
 * @param hub the connection of the device's hub; undefined while it is not known
 * @returns undefined while the time is unknown: the hub's connection is not fetched yet, or the last fetch found the hub online
 */
export function awaySince(
  { state, since }: Pick<NonNullable<Device["connection"]>, "state" | "since">,
  hub: Client["connection"] | undefined,
): string | undefined {
  if (state !== "unknown") return since;
  // The device's own `since` is the time of detection, which is later than the hub's last contact.
  return hub === undefined || hub.state === "online" ? undefined : (hub.lastSeenAt ?? since);
}

/**
 * Whether the hub has ever connected. The agent version is known from then on; `lastSeenAt` is missing if the service crashed during the
 * connection.
 */
export function hasConnected({
  state,
  agentVersion,
  lastSeenAt,
}: Pick<Client["connection"], "state" | "agentVersion" | "lastSeenAt">): boolean {
  return state === "online" || agentVersion !== undefined || lastSeenAt !== undefined;
}
