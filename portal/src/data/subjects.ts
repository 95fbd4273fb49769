/** Who may call: servers, users, their tokens and their access, and the account's own log-ins. Of these only users have events, so the rest is asked again while it is looked at. */
import type { Porchlight } from "@porchlight/sdk";
import { queryOptions } from "@tanstack/react-query";

/** Last uses are told up to ten seconds late, so asking more often tells nothing more, ms. */
const AGAIN = 10_000;

export const serverQuery = (api: Porchlight, serverId: string) =>
  queryOptions({
    queryKey: ["servers", "one", serverId],
    queryFn: ({ signal }) => api.servers.get(serverId, { signal }),
  });

/** Without the tokens themselves. */
export const serverTokensQuery = (api: Porchlight, serverId: string) =>
  queryOptions({
    queryKey: ["tokens", "of", serverId],
    queryFn: ({ signal }) => api.servers.tokens(serverId, { reveal: false, signal }).all(),
    refetchInterval: AGAIN,
  });

/** The token itself: the service records that it is read. @throws PorchlightError; Error when it has gone */
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

/** Access entries of a user. Not under "users": an event of one user does not make the access of all others old. */
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

/** What has access to the account besides its log-ins. @param since a time of the service; all without */
export const grantsQuery = (api: Porchlight, since: string | undefined) =>
  queryOptions({
    queryKey: ["grants", since],
    queryFn: ({ signal }) => api.account.grants(since === undefined ? {} : { since }, { signal }).all(),
    refetchInterval: AGAIN,
  });

/** The newest log-ins, also of sessions that have ended, newest first. */
export const pastLogInsQuery = (api: Porchlight) =>
  queryOptions({
    queryKey: ["log-ins", "past"],
    queryFn: async ({ signal }) => {
      const asked = { action: "login.created", order: "newest" } as const;
      return (await api.service.audit(asked, { pageSize: 50, signal }).page()).items;
    },
  });

/** The log-in that this browser is. */
export const ownLogInQuery = (api: Porchlight) =>
  queryOptions({ queryKey: ["log-ins", "own"], queryFn: ({ signal }) => api.account.token({ signal }) });

/** The program that waits under a code. Each question with a wrong one counts against the account, so it is asked once. */
export const codeLogInQuery = (api: Porchlight, code: string) =>
  queryOptions({
    queryKey: ["code log-ins", code],
    queryFn: ({ signal }) => api.account.codeLogIn(code, { signal }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
