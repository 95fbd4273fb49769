/** What the first page looks at: a few of everything, so that it costs the same for one home and for ten thousand. */
import type { Porchlight } from "@porchlight/sdk";
import type { Token } from "@porchlight/shared/api";
import { queryOptions } from "@tanstack/react-query";

/** Users, and servers, whose tokens are looked at: more are on their own pages. */
export const FEW = 10;
/** Hubs that are looked at for one that has been seen. */
const SOME = 100;
/** Requests in which the last hour's errors are looked for. */
export const LATEST = 1000;

export interface Callers {
  readonly users: readonly { readonly id: string; readonly key: string }[];
  /** Of users and of servers. */
  readonly tokens: readonly Token[];
}

/** Tokens have no events: while one is waited for they are asked for every few seconds. */
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

/** Hubs of the account, wherever they are. */
export const firstHubsQuery = (api: Porchlight) =>
  queryOptions({
    queryKey: ["clients", "first"],
    queryFn: async ({ signal }) => (await api.clients.list({}, { pageSize: SOME, signal }).page()).items,
  });

/** The last call that was made with a token; undefined when none is kept. */
export const lastCallQuery = (api: Porchlight, tokenId: string) =>
  queryOptions({
    queryKey: ["requests", "last", tokenId],
    queryFn: async ({ signal }) => {
      const page = await api.service.requests({ tokenId, order: "newest" }, { pageSize: 1, signal }).page();
      return page.items[0] ?? null;
    },
  });

/** The newest requests, newest first. */
export const latestRequestsQuery = (api: Porchlight) =>
  queryOptions({
    queryKey: ["requests", "latest"],
    queryFn: async ({ signal }) =>
      (await api.service.requests({ order: "newest" }, { pageSize: LATEST, signal }).page()).items,
    refetchInterval: 20_000,
  });
