/** Samples of everything for the first page, bounded so that it costs the same for one home and for ten thousand. */
import type { Porchlight } from "@porchlight/sdk";
import type { Token } from "@porchlight/shared/api";
import { queryOptions } from "@tanstack/react-query";

/** Maximum number of users, and of servers, whose tokens are read; their own pages show the rest. */
export const FEW = 10;
/** Maximum number of hubs that are searched for one that has connected. */
const SOME = 100;
/** Number of requests that are searched for the last hour's errors. */
export const LATEST = 1000;

export interface Callers {
  readonly users: readonly { readonly id: string; readonly key: string }[];
  /** The tokens of users and of servers. */
  readonly tokens: readonly Token[];
}

/** Tokens have no events, so the query polls every few seconds while the page waits for one. */
export const callersQuery = (api: Porchlight, ecosystemId: string) =>
  queryOptions({
    queryKey: ["tokens", "first", ecosystemId],
    queryFn: async ({ signal }): Promise<Callers> => {
      const [users, servers] = await Promise.all([
        api.users.list({ ecosystemId }, { pageSize: FEW, signal }).page(),
        api.servers.list({ ecosystemId }, { pageSize: FEW, signal }).page(),
      ]);
      const lists = await Promise.all([
        ...users.items.map(({ id }) => api.users.tokens(id, { signal }).all()),
        ...servers.items.map(({ id }) => api.servers.tokens(id, { signal }).all()),
      ]);
      return { users: users.items, tokens: lists.flat() };
    },
  });

/** Hubs of the whole account. */
export const firstHubsQuery = (api: Porchlight) =>
  queryOptions({
    queryKey: ["clients", "first"],
    queryFn: async ({ signal }) => (await api.clients.list({}, { pageSize: SOME, signal }).page()).items,
  });

/** The most recent request with a token; undefined when none is stored. */
export const lastCallQuery = (api: Porchlight, tokenId: string) =>
  queryOptions({
    queryKey: ["requests", "last", tokenId],
    queryFn: async ({ signal }) => {
      const page = await api.service.requests({ tokenId, order: "newest" }, { pageSize: 1, signal }).page();
      return page.items[0] ?? null;
    },
  });

/** The latest requests, newest first. */
export const latestRequestsQuery = (api: Porchlight) =>
  queryOptions({
    queryKey: ["requests", "latest"],
    queryFn: async ({ signal }) =>
      (await api.service.requests({ order: "newest" }, { pageSize: LATEST, signal }).page()).items,
    refetchInterval: 20_000,
  });
