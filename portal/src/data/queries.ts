/**
 * The queries that pages share. Each key begins with the kind of its objects; `live/changes.ts` maps events to the kinds that they
 * invalidate. Pages with the same query share one request and update together.
 */
import type { Porchlight } from "@porchlight/sdk";
import type { Client, ServiceList } from "@porchlight/shared/api";
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { mergeNewer } from "./services.ts";

export const accountQuery = (api: Porchlight) =>
  queryOptions({ queryKey: ["account"], queryFn: ({ signal }) => api.account.get({ signal }) });

export const ecosystemsQuery = (api: Porchlight) =>
  queryOptions({ queryKey: ["ecosystems"], queryFn: ({ signal }) => api.ecosystems.list(undefined, { signal }).all() });

/** Environments of all ecosystems of the account. */
export const environmentsQuery = (api: Porchlight) =>
  queryOptions({
    queryKey: ["environments"],
    queryFn: ({ signal }) => api.environments.list(undefined, { signal }).all(),
  });

export const zonesQuery = (api: Porchlight, environmentId: string) =>
  queryOptions({
    queryKey: ["zones", environmentId],
    queryFn: ({ signal }) => api.zones.list({ environmentId }, { signal }).all(),
  });

export const scenesQuery = (api: Porchlight, environmentId: string) =>
  queryOptions({
    queryKey: ["scenes", "in", environmentId],
    queryFn: ({ signal }) => api.scenes.list({ environmentId }, { signal }).all(),
  });

export const devicesQuery = (api: Porchlight, environmentId: string) =>
  queryOptions({
    queryKey: ["devices", "in", environmentId],
    queryFn: ({ signal }) => api.devices.list({ environmentId }, { signal }).all(),
  });

export const deviceQuery = (api: Porchlight, deviceId: string) =>
  queryOptions({
    queryKey: ["devices", "one", deviceId],
    queryFn: ({ signal }) => api.devices.get(deviceId, { signal }),
  });

/** A device's descriptors with current values; events bring new values. */
export const servicesQuery = (api: Porchlight, deviceId: string) =>
  queryOptions({
    queryKey: ["services", deviceId],
    queryFn: async ({ signal, client, queryKey }) => {
      const known = () => client.getQueryData<ServiceList>(queryKey);
      const before = known();
      const items = await api.devices.services(deviceId, { signal });
      return mergeNewer(before, known(), { items });
    },
  });

/** The hubs, as clients of an environment. No event reports round-trip times and clock skews, so the query polls while a page shows it. */
export const clientsQuery = (api: Porchlight, environmentId: string) =>
  queryOptions({
    queryKey: ["clients", "in", environmentId],
    queryFn: async ({ signal, client, queryKey }) => {
      const hubs = await api.clients.list({ environmentId }, { signal }).all();
      devicesFollow(client, client.getQueryData<readonly Client[]>(queryKey), hubs);
      return hubs;
    },
    refetchInterval: 10_000,
  });

export const clientQuery = (api: Porchlight, clientId: string) =>
  queryOptions({
    queryKey: ["clients", "one", clientId],
    queryFn: async ({ signal, client, queryKey }) => {
      const hub = await api.clients.get(clientId, { signal });
      const before = client.getQueryData<Client>(queryKey);
      devicesFollow(client, before && [before], [hub]);
      return hub;
    },
    refetchInterval: 5_000,
  });

/** Invalidates all device queries when a hub's connection differs from the previous fetch. */
function devicesFollow(queries: QueryClient, before: readonly Client[] | undefined, now: readonly Client[]): void {
  if (before && haveMoved(before, now)) void queries.invalidateQueries({ queryKey: ["devices"] });
}

export const usersQuery = (api: Porchlight, ecosystemId: string) =>
  queryOptions({
    queryKey: ["users", "in", ecosystemId],
    queryFn: ({ signal }) => api.users.list({ ecosystemId }, { signal }).all(),
  });

export const serversQuery = (api: Porchlight, ecosystemId: string) =>
  queryOptions({
    queryKey: ["servers", "in", ecosystemId],
    queryFn: ({ signal }) => api.servers.list({ ecosystemId }, { signal }).all(),
  });

export const webhooksQuery = (api: Porchlight, ecosystemId: string) =>
  queryOptions({
    queryKey: ["webhooks", "in", ecosystemId],
    queryFn: ({ signal }) => api.webhooks.list({ ecosystemId }, { signal }).all(),
  });

/**
 * Compares two fetches of the hubs: true when a connection changed. A hub that returns before it counts as offline makes its devices
 * unknown and known again without an event. Pure.
 */
type Connected = Pick<Client, "id"> & { readonly connection: Pick<Client["connection"], "state" | "since"> };

/** @param before the hubs of the previous fetch */
export function haveMoved(before: readonly Connected[], now: readonly Connected[]): boolean {
  const known = new Map(before.map(({ id, connection }) => [id, connection]));
  return now.some(({ id, connection: { state, since } }) => {
    const was = known.get(id);
    return was?.state !== state || was.since !== since;
  });
}
