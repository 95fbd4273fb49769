/**
 * API callers: servers, users, their tokens and access, the account's log-ins, and all tokens with the names of their owners. Only users
 * have events, so the other queries poll while a page shows them.
 */
import type { Porchlight } from "@porchlight/sdk";
import type { Token } from "@porchlight/shared/api";
import { givenName } from "@porchlight/shared/names";
import type { Sender } from "@porchlight/shared/presentation";
import { queryOptions } from "@tanstack/react-query";

/** Poll interval in ms. The service reports the last use of a token up to ten seconds late, so faster polling brings nothing. */
const AGAIN = 10_000;

export const serverQuery = (api: Porchlight, serverId: string) =>
  queryOptions({
    queryKey: ["servers", "one", serverId],
    queryFn: ({ signal }) => api.servers.get(serverId, { signal }),
  });

/** The tokens' data without their secrets. */
export const serverTokensQuery = (api: Porchlight, serverId: string) =>
  queryOptions({
    queryKey: ["tokens", "of", serverId],
    queryFn: ({ signal }) => api.servers.tokens(serverId, { reveal: false, signal }).all(),
    refetchInterval: AGAIN,
  });

/** Reads the token's secret; the service records the access. @throws PorchlightError; Error when the token no longer exists */
export async function readServerToken(api: Porchlight, serverId: string, tokenId: string): Promise<string> {
  const tokens = await api.servers.tokens(serverId).all();
  const value = tokens.find(({ id }) => id === tokenId)?.token;
  if (value === undefined) throw new Error("The service does not have this token any more.");
  return value;
}

export const userQuery = (api: Porchlight, userId: string) =>
  queryOptions({ queryKey: ["users", "one", userId], queryFn: ({ signal }) => api.users.get(userId, { signal }) });

export const userTokensQuery = (api: Porchlight, userId: string) =>
  queryOptions({
    queryKey: ["tokens", "of", userId],
    queryFn: ({ signal }) => api.users.tokens(userId, { signal }).all(),
    refetchInterval: AGAIN,
  });

/** A user's access entries. The key is not under "users": an event of one user must not invalidate the access of all others. */
export const userAccessQuery = (api: Porchlight, userId: string) =>
  queryOptions({
    queryKey: ["access", userId],
    queryFn: ({ signal }) => api.users.access(userId, { signal }).all(),
    refetchInterval: AGAIN,
  });

export const logInsQuery = (api: Porchlight) =>
  queryOptions({
    queryKey: ["log-ins", "all"],
    queryFn: ({ signal }) => api.account.logIns({ signal }).all(),
    refetchInterval: AGAIN,
  });

/** Everything with access to the account besides its log-ins. @param since a time in the service's format; everything when undefined */
export const grantsQuery = (api: Porchlight, since: string | undefined) =>
  queryOptions({
    queryKey: ["grants", since],
    queryFn: ({ signal }) => api.account.grants(since === undefined ? {} : { since }, { signal }).all(),
    refetchInterval: AGAIN,
  });

/** The most recent log-ins, newest first, including ended sessions. */
export const pastLogInsQuery = (api: Porchlight) =>
  queryOptions({
    queryKey: ["log-ins", "past"],
    queryFn: async ({ signal }) => {
      const asked = { action: "login.created", order: "newest" } as const;
      return (await api.service.audit(asked, { pageSize: 50, signal }).page()).items;
    },
  });

/** The log-in of this browser. */
export const ownLogInQuery = (api: Porchlight) =>
  queryOptions({ queryKey: ["log-ins", "own"], queryFn: ({ signal }) => api.account.token({ signal }) });

/** The program that waits for approval under a code. Each request with a wrong code counts against the account, so it is sent only once. */
export const codeLogInQuery = (api: Porchlight, code: string) =>
  queryOptions({
    queryKey: ["code log-ins", code],
    queryFn: ({ signal }) => api.account.codeLogIn(code, { signal }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

export interface NamedToken {
  readonly id: string;
  readonly kind: "log-in" | "server" | "user";
  /** The server or user; for a log-in the browser's name. */
  readonly owner: {
    readonly id: string;
    readonly alias?: string | undefined;
    readonly key?: string | undefined;
    readonly meta?: Readonly<Record<string, unknown>> | undefined;
  };
  /** Empty for log-ins: the service does not report their versions. */
  readonly versions: NonNullable<Token["versions"]>;
}

interface NamedTokens {
  readonly tokens: readonly NamedToken[];
  /** There are more servers or users than the query reads. */
  readonly isCut: boolean;
}

/** Maximum number of servers, and of users, whose tokens are read: each takes one request. */
const MOST = 50;

export const namedTokensQuery = (api: Porchlight, ecosystemId: string) =>
  queryOptions({
    queryKey: ["tokens", "named", ecosystemId],
    queryFn: ({ signal }) => namedTokens(api, ecosystemId, signal),
    staleTime: 10_000,
    refetchInterval: 60_000,
  });

async function namedTokens(api: Porchlight, ecosystemId: string, signal: AbortSignal): Promise<NamedTokens> {
  const options = { pageSize: MOST, signal };
  const [logIns, servers, users] = await Promise.all([
    api.account.logIns({ signal }).page(),
    api.servers.list({ ecosystemId }, options).page(),
    api.users.list({ ecosystemId }, options).page(),
  ]);
  const tokens: NamedToken[] = logIns.items.map((logIn) => ({
    id: logIn.id,
    kind: "log-in",
    owner: { id: logIn.id },
    versions: [],
  }));
  const add = (kind: "server" | "user", owner: NamedToken["owner"], its: readonly Token[]) =>
    tokens.push(...its.map(({ id, versions = [] }) => ({ id, kind, owner, versions })));
  for (const server of servers.items)
    add("server", server, (await api.servers.tokens(server.id, options).page()).items);
  for (const user of users.items) add("user", user, (await api.users.tokens(user.id, options).page()).items);
  return { tokens, isCut: servers.continuationToken !== undefined || users.continuationToken !== undefined };
}

/** The token's owner, as sentences name it. */
export function senderOf({ id, kind, owner }: NamedToken): Sender {
  if (kind === "log-in") return { kind: "account", tokenId: id };
  const { alias, key, meta } = owner;
  return { kind, id: owner.id, tokenId: id, name: givenName(meta) ?? alias ?? key };
}

/** "server key shop", "user anna", "log-in". */
export function tokenName({ kind, owner }: NamedToken): string {
  if (kind === "log-in") return "log-in";
  const name = owner.alias ?? owner.key ?? owner.id;
  return kind === "server" ? `server ${name}` : `user ${name}`;
}
