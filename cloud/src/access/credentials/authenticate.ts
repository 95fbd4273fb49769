/** From the credential of a request to who is calling (A1.3). A caller that comes again is known without the store. */
import { type Clock, type Id, NamedError } from "@porchlight/shared/kernel";
import { credentialIn, hashToken, readCredential, type TokenKind, tokenKind } from "@porchlight/shared/rest";
import { one, type Sql, statement } from "../../store/index.ts";
import type { Caller, ClientPrincipal } from "../caller.ts";
import { objectById } from "../references/object-facts.ts";
import { livingEcosystems, loginBySessionToken, tokenByHash } from "../references/service-queries.ts";
import type { Revocations } from "../revocations.ts";
import { type CachedPrincipal, TokenCache } from "./token-cache.ts";

/** Whose credential a request brings; that of a client is good at the tunnel only. */
export type Presenter = (Caller | ({ readonly kind: "client" } & ClientPrincipal)) & {
  /** The account whose token it is, or whose ecosystem: what all its tokens do is counted together. */
  readonly ownerId: string;
};

interface Principal extends CachedPrincipal {
  readonly as: Presenter;
}

type TokenFacts = {
  readonly id: string;
  readonly account_id: string | null;
  readonly ecosystem_id: string | null;
  readonly subject_id: string;
  readonly isPortal?: true;
};

/** Tokens remembered; about 1 KB each. */
const CAPACITY = 10_000;

const environmentsOfUser = statement<{ eco: string; user: string }>("environments_of_user")((db, p) =>
  db
    .selectFrom("access_entries")
    .select("environment_id")
    .where("ecosystem_id", "=", p.eco)
    .where("user_id", "=", p.user)
    .where("gone_at", "is", null),
);

const ownerOfEcosystem = statement<{ eco: string }>("owner_of_ecosystem")((db, p) =>
  db.selectFrom("ecosystems").select("account_id").where("id", "=", p.eco),
);

/** What is asked to find out who is calling. */
export interface CredentialStore {
  /** Reads of all tenants. */
  readonly service: Sql;
  of(ecosystemId: string): { readonly sql: Sql };
}

export interface AuthenticatorDeps {
  readonly store: CredentialStore;
  readonly clock: Clock;
  readonly revocations: Revocations;
}

export class Authenticator implements Disposable {
  readonly #store: CredentialStore;
  readonly #clock: Clock;
  readonly #cache: TokenCache<Principal>;
  readonly #stopListening: () => void;

  private constructor(deps: AuthenticatorDeps, cache: TokenCache<Principal>, stopListening: () => void) {
    this.#store = deps.store;
    this.#clock = deps.clock;
    this.#cache = cache;
    this.#stopListening = stopListening;
  }

  static start(deps: AuthenticatorDeps): Authenticator {
    const cache = new TokenCache<Principal>(CAPACITY);
    return new Authenticator(
      deps,
      cache,
      deps.revocations.listen((revocation) => cache.forget(revocation)),
    );
  }

  /**
   * Who calls the REST API; whether this kind of caller may is for the route to say.
   * @param header the request's only `authorization`
   * @throws "Token Missing", "Token Invalid", "Token Expired"
   */
  async authenticate(header: string | undefined): Promise<Presenter> {
    return (await this.#identify(readCredential(header))).as;
  }

  /**
   * The same of a credential that has been good before, and still is: without waiting. Undefined of any other.
   * @param header as {@link authenticate} takes it
   */
  returning(header: string | undefined): Presenter | undefined {
    const principal = header === undefined ? undefined : this.#cache.get(credentialIn(header));
    const isOver = principal?.expiresAt !== undefined && principal.expiresAt <= this.#clock.now();
    return isOver ? undefined : principal?.as;
  }

  /** Whether the credential has been good before, so that judging it costs nothing. @param header as {@link authenticate} takes it */
  knows(header: string | undefined): boolean {
    return header !== undefined && this.#cache.has(credentialIn(header));
  }

  /**
   * Which client opens a tunnel.
   * @param token without `Bearer`
   * @throws "Token Missing", "Token Invalid", "Token Expired"; "Token Type Not Allowed" for any other token
   */
  async authenticateClient(token: string): Promise<ClientPrincipal> {
    const { as } = await this.#identify(readCredential(token));
    if (as.kind !== "client") throw new NamedError("Token Type Not Allowed", "The tunnel accepts client tokens only.");
    return as;
  }

  [Symbol.dispose](): void {
    this.#stopListening();
  }

  async #identify(token: string): Promise<Principal> {
    const principal = this.#cache.get(token) ?? (await this.#lookUp(token));
    if (principal.expiresAt !== undefined && principal.expiresAt <= this.#clock.now())
      throw new NamedError("Token Expired");
    return principal;
  }

  async #lookUp(token: string): Promise<Principal> {
    const kind = tokenKind(token);
    if (kind === "loc") throw new NamedError("Token Invalid", "The token was made on a hub and works only there.");
    if (kind === undefined) throw new NamedError("Token Invalid", "The credential does not have the form of a token.");
    const { generation } = this.#cache;
    const row = await this.#row(kind, hashToken(token));
    const as = row && row.revoked_at === null && row.kind === kind ? await this.#subject(kind, row) : undefined;
    if (!row || !as) throw new NamedError("Token Invalid");
    const principal = {
      as,
      tokenId: row.id,
      subjectId: row.subject_id,
      ecosystemId: row.ecosystem_id ?? undefined,
      environmentId: as.kind === "client" ? as.environmentId : undefined,
      expiresAt: row.expires_at ?? undefined,
    };
    this.#cache.set(token, principal, generation);
    return principal;
  }

  /** The token with that hash; or, of a log-in with a cookie, that log-in, with the end of the short token. */
  async #row(kind: TokenKind, hash: string) {
    const row = await one(this.#store.service.all(tokenByHash, { hash }));
    if (row || kind !== "acc") return row;
    const login = await one(this.#store.service.all(loginBySessionToken, { hash }));
    return login && { ...login, isPortal: true as const };
  }

  /** What a living token stands for; undefined when that, or what it is in, has gone. */
  async #subject(kind: TokenKind, row: TokenFacts): Promise<Principal["as"] | undefined> {
    const tokenId = row.id as Id<"tok">;
    if (kind === "acc" || kind === "auth") {
      const accountId = row.subject_id as Id<"acc">;
      const ecosystemIds = await livingEcosystems(this.#store.service, accountId);
      return {
        kind: "account",
        tokenId,
        ownerId: accountId,
        accountId,
        ecosystemIds,
        ...(row.isPortal && { isPortal: true }),
      };
    }
    const ecosystemId = row.ecosystem_id ?? "";
    const { sql } = this.#store.of(ecosystemId);
    const [facts, owner] = await Promise.all([
      one(sql.all(objectById, { owner: ecosystemId, id: row.subject_id })),
      one(sql.all(ownerOfEcosystem, { eco: ecosystemId })),
    ]);
    const ownerId = owner?.account_id ?? ecosystemId;
    if (!facts || facts.gone_at !== null) return undefined;
    switch (kind) {
      case "srv":
        return { kind: "server", tokenId, ownerId, serverId: row.subject_id as Id<"srv">, ecosystemId };
      case "usr": {
        const entries = await sql.all(environmentsOfUser, { eco: ecosystemId, user: row.subject_id });
        const environmentIds = new Set(entries.map((entry) => entry.environment_id));
        return { kind: "user", tokenId, ownerId, userId: row.subject_id as Id<"usr">, ecosystemId, environmentIds };
      }
      case "cli": {
        const environmentId = facts.environment_id ?? "";
        return { kind: "client", tokenId, ownerId, clientId: row.subject_id as Id<"cli">, ecosystemId, environmentId };
      }
    }
  }
}
