/** Tokens of users, servers and clients: callers that may manage the subject create, list and revoke them. */
import { formatTime, type PresentedToken, type Token } from "@porchlight/shared/api";
import type { Clock } from "@porchlight/shared/kernel";
import { SERVICE_TIMES } from "@porchlight/shared/presentation";
import {
  audit,
  type Caller,
  livingObject,
  type Quotas,
  Readings,
  type References,
  referenceNotFound,
  type TokenKind,
  type Tokens,
  type TokenUse,
  useOfTokens,
} from "../access/index.ts";
import type { Store, TokenRow } from "../store/index.ts";
import { findPresentedToken } from "./service-queries.ts";

/** Kinds of objects that have tokens. */
export type SubjectKind = "usr" | "srv" | "cli";

/** Lifetime of a user token that an account creates, ms: 30 days, because it is for trials. */
const ACCOUNTS_USER_TOKEN_LIFE = SERVICE_TIMES.accountsUserToken;

const TYPES = {
  acc: "account",
  auth: "authentication",
  srv: "server",
  usr: "user",
  cli: "client",
} as const satisfies Record<TokenKind, Token["type"]>;

/** A token with its recorded use. */
type ListedToken = TokenRow & { readonly use: TokenUse };

export interface SubjectTokensDeps {
  readonly store: Store;
  readonly references: References;
  readonly tokens: Tokens;
  readonly clock: Clock;
  readonly quotas: Quotas;
}

export class SubjectTokens {
  readonly #deps: SubjectTokensDeps;
  readonly #readings: Readings;

  constructor(deps: SubjectTokensDeps) {
    this.#deps = deps;
    this.#readings = new Readings(deps.clock);
  }

  async list(caller: Caller, kind: SubjectKind, subject: string, after: string, limit: number): Promise<ListedToken[]> {
    const { ecosystemId, id } = await this.#deps.references.resolve(caller, kind, subject);
    const { sql } = this.#deps.store.of(ecosystemId);
    const rows = await this.#deps.tokens.list(sql, id, after, limit);
    const useOf = await useOfTokens(
      sql,
      rows.map((row) => row.id),
    );
    return rows.map((row) => ({ ...row, use: useOf(row.id) }));
  }

  /**
   * Creates a token. Returns the subject's ID, and the token's text, which is shown this once.
   * @param lifeSeconds requested lifetime of a user's token
   * @throws "Quota Exceeded", and those of the subject's reference
   */
  async create(
    caller: Caller,
    kind: SubjectKind,
    subject: string,
    lifeSeconds?: number,
  ): Promise<{ readonly subjectId: string; readonly token: Token }> {
    const { store, references, tokens, quotas } = this.#deps;
    const { ecosystemId, id } = await references.resolve(caller, kind, subject);
    const expiresAt = this.#end(caller, kind, lifeSeconds);
    const made = await store.write(ecosystemId, async (tx) => {
      await livingObject(tx, ecosystemId, kind, id);
      await quotas.require(tx, "tokensPerSubject", id);
      const issued = await tokens.issue(tx, { kind, owner: { ecosystemId }, subjectId: id, expiresAt });
      await audit(tx, caller, "token.created", issued.id, { subjectId: id });
      return issued;
    });
    const token = {
      id: made.id,
      type: TYPES[kind],
      token: made.token,
      createdAt: formatTime(made.createdAt),
      ...(made.expiresAt !== undefined && { expiresAt: formatTime(made.expiresAt) }),
    };
    return { subjectId: id, token };
  }

  /** @throws "Token Invalid" (400), "Token Not Found", and those of the subject's reference */
  async revoke(caller: Caller, kind: SubjectKind, subject: string, token: string): Promise<void> {
    const { store, references, tokens } = this.#deps;
    const { ecosystemId, id } = await references.resolve(caller, kind, subject);
    const target = await references.resolve(caller, "tok", token);
    if (target.ecosystemId !== ecosystemId) throw referenceNotFound("tok");
    await store.write(ecosystemId, async (tx) => {
      await tokens.revoke(tx, id, target.id);
      await audit(tx, caller, "token.revoked", target.id, { subjectId: id });
    });
  }

  /** The token that the caller presented. */
  async presented(caller: Caller): Promise<PresentedToken> {
    const row = await findPresentedToken(this.#deps.store, caller.tokenId);
    if (!row) throw referenceNotFound("tok");
    const shown = {
      id: row.id,
      type: typeOf(row.kind),
      ...(row.expires_at !== null && { expiresAt: formatTime(row.expires_at) }),
    };
    switch (caller.kind) {
      case "account":
        return { ...shown, accountId: caller.accountId };
      case "server":
        return { ...shown, serverId: caller.serverId, ecosystemId: caller.ecosystemId };
      case "user":
        return { ...shown, userId: caller.userId, ecosystemId: caller.ecosystemId };
    }
  }

  /**
   * Records that the tokens of a server are read; call it before they are shown.
   * @throws "Service Unavailable" when it cannot be recorded, and those of the server's reference
   */
  async recordReading(caller: Caller, subject: string): Promise<void> {
    const { store, tokens, references } = this.#deps;
    const { ecosystemId, id } = await references.resolve(caller, "srv", subject);
    await this.#readings.record(caller.tokenId, id, () =>
      store.write(ecosystemId, async (tx) => {
        await tokens.noteReading(tx, id);
        await audit(tx, caller, "server.tokens_read", id);
      }),
    );
  }

  /** The token's resource with its text. */
  revealed(row: ListedToken): Token {
    return tokenResource(row, this.#deps.tokens.unseal(row));
  }

  #end(caller: Caller, kind: SubjectKind, lifeSeconds: number | undefined): number | undefined {
    if (kind !== "usr") return undefined;
    const now = this.#deps.clock.now();
    if (lifeSeconds !== undefined) return now + lifeSeconds * 1000;
    return caller.kind === "account" ? now + ACCOUNTS_USER_TOKEN_LIFE : undefined;
  }
}

/** @param token text of the token, for a server's token that is read */
export function tokenResource(
  row: Pick<ListedToken, "id" | "kind" | "created_at" | "expires_at" | "read_at" | "use">,
  token?: string,
): Token {
  const { read_at: readAt } = row;
  return {
    id: row.id,
    type: typeOf(row.kind),
    ...(token !== undefined && { token }),
    createdAt: formatTime(row.created_at),
    ...(row.expires_at !== null && { expiresAt: formatTime(row.expires_at) }),
    ...(readAt !== null && { lastReadAt: formatTime(readAt) }),
    ...shownUse(row.use),
  };
}

function shownUse({ lastUsedAt, versions }: TokenUse): Pick<Token, "lastUsedAt" | "versions"> {
  return {
    ...(lastUsedAt !== undefined && { lastUsedAt: formatTime(lastUsedAt) }),
    ...(versions.length > 0 && {
      versions: versions.map(({ via, version, first_seen_at, last_seen_at, count }) => ({
        via: via === "path" ? "path" : "header",
        ...(version !== "" && { version }),
        firstSeenAt: formatTime(first_seen_at),
        lastSeenAt: formatTime(last_seen_at),
        count,
      })),
    }),
  };
}

function typeOf(kind: string): Token["type"] {
  // Trusted: `Tokens.issue` wrote the column.
  return TYPES[kind as TokenKind];
}
