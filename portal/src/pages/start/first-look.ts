/**
 * What the first page asks and decides: samples of everything, bounded so that it costs the same for one home and for ten thousand, and
 * which first steps the service has seen as done.
 */
import type { Porchlight } from "@porchlight/sdk";
import type { Token, Webhook } from "@porchlight/shared/api";
import { queryOptions } from "@tanstack/react-query";
import { hasConnected } from "../../data/hubs.ts";

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

interface Seen {
  readonly tokens: readonly Pick<Token, "id" | "lastUsedAt">[];
  readonly hubs: readonly { readonly connection: Parameters<typeof hasConnected>[0] }[];
  readonly webhooks: readonly Pick<Webhook, "id">[];
}

/** A home needs a hub. The other steps are for developers, and optional. */
type FirstStep = "hub" | "token" | "call" | "webhook";
export type Done = Readonly<Record<FirstStep, boolean>>;

/** Ignores the portal's own calls: the portal calls as a log-in, the steps count tokens of users and servers. */
export function doneOf({ tokens, hubs, webhooks }: Seen): Done {
  return {
    hub: hubs.some(({ connection }) => hasConnected(connection)),
    token: tokens.length > 0,
    call: lastUsed(tokens) !== undefined,
    webhook: webhooks.length > 0,
  };
}

/** ID of the most recently used token; undefined when none was used. */
export function lastUsed(tokens: Seen["tokens"]): string | undefined {
  return tokens
    .filter(({ lastUsedAt }) => lastUsedAt !== undefined)
    .toSorted((one, other) => (one.lastUsedAt ?? "").localeCompare(other.lastUsedAt ?? ""))
    .at(-1)?.id;
}

/** A curl command that works as pasted and lists the devices of an environment. @param origin the service's address, without `/api` */
export function firstCall(origin: string, token: string, environmentId: string): string {
  return `curl -s -H 'authorization: Bearer ${token}' \\
  '${origin}/api/devices?environmentId=${environmentId}'`;
}
