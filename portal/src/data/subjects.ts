/**
 * API callers: servers, users, their tokens and access, and the account's log-ins. Only users have events, so the other queries poll while
 * a page shows them.
 */
import type { Porchlight } from "@porchlight/sdk";
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
