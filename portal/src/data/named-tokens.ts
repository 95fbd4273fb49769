/** Tokens with the names of their owners: for the request log, which has only IDs, and for the list of API versions in use. */
import type { Porchlight } from "@porchlight/sdk";
import type { Token } from "@porchlight/shared/api";
import { givenName } from "@porchlight/shared/names";
import type { Sender } from "@porchlight/shared/presentation";
import { queryOptions } from "@tanstack/react-query";

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

export interface NamedTokens {
  readonly tokens: readonly NamedToken[];
  /** There are more servers or users than the query reads. */
  readonly isCut: boolean;
}

/** Maximum number of servers, and of users, whose tokens are read: each takes one request. */
const MOST = 50;
/** Poll interval in ms. */
const AGAIN = 60_000;

export const namedTokensQuery = (api: Porchlight, ecosystemId: string) =>
  queryOptions({
    queryKey: ["tokens", "named", ecosystemId],
    queryFn: ({ signal }) => namedTokens(api, ecosystemId, signal),
    staleTime: 10_000,
    refetchInterval: AGAIN,
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
