/** Resolves the credential of a request to its caller (A1.3). A cached caller is resolved without the store. */
import { BoundedMap, type Clock, type Id, NamedError } from "@porchlight/shared/kernel";
import { credentialIn, hashToken, readCredential, type TokenKind, tokenKind } from "@porchlight/shared/rest";
import { one, type Sql, type Store, statement } from "../store/index.ts";
import { type Caller, type ClientPrincipal, principalOf } from "./caller.ts";
import { livingEcosystems, loginBySessionToken, objectByToken, tokenByHash } from "./references/service-queries.ts";
import { type Credentialed, isEndedBy, type Revocation, type Revocations } from "./revocations.ts";

/** The owner of a request's credential; a client's credential is accepted by the tunnel only. */
export type Presenter = (Caller | ({ readonly kind: "client" } & ClientPrincipal)) & {
  /** The account that owns the token or its ecosystem: the limits count all its tokens together. */
  readonly ownerId: string;
};

/** The cached form of a credential: only what the presenter does not already hold. */
class Principal implements CachedPrincipal {
  readonly as: Presenter;
  readonly expiresAt: number | undefined;

  constructor(as: Presenter, expiresAt: number | null) {
    this.as = as;
    this.expiresAt = expiresAt ?? undefined;
  }

  get tokenId(): string {
    return this.as.tokenId;
  }

  get subjectId(): string {
    return this.as.kind === "client" ? this.as.clientId : principalOf(this.as);
  }

  get ecosystemId(): string | undefined {
    return this.as.kind === "account" ? undefined : this.as.ecosystemId;
  }

  get environmentId(): string | undefined {
    return this.as.kind === "client" ? this.as.environmentId : undefined;
  }
}

/** Tokens of objects in an ecosystem. */
type ObjectTokenKind = Exclude<TokenKind, AccountTokenKind>;
/** Tokens of an account: those that its owner made, and log-ins. */
type AccountTokenKind = "acc" | "auth";

/** Tokens cached; about 1 KB each. */
const CAPACITY = 10_000;

const environmentsOfUser = statement<{ eco: string; user: string }>("environments_of_user")((db, p) =>
  db
    .selectFrom("access_entries")
    .select("environment_id")
    .where("ecosystem_id", "=", p.eco)
    .where("user_id", "=", p.user)
    .where("gone_at", "is", null),
);

/** The queries that authentication needs. */
export interface CredentialStore {
  /** Reads across all tenants. */
  readonly service: Sql;
  of(ecosystemId: string): { readonly sql: Sql };
  gathered: Store["gathered"];
}

export interface AuthenticatorDeps {
  readonly store: CredentialStore;
  readonly clock: Clock;
  readonly revocations: Revocations;
}

export class Authenticator implements Disposable {
  readonly #store: CredentialStore;
  readonly #objects: ReturnType<typeof gatheredObjects>;
  readonly #clock: Clock;
  readonly #cache: TokenCache<Principal>;
  readonly #stopListening: () => void;

  private constructor(deps: AuthenticatorDeps, cache: TokenCache<Principal>, stopListening: () => void) {
    this.#store = deps.store;
    this.#objects = gatheredObjects(deps.store);
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
   * Resolves the caller of a REST request; the route decides whether this kind of caller is allowed.
   * @param header the request's only `authorization`
   * @throws "Token Missing", "Token Invalid", "Token Expired"
   */
  async authenticate(header: string | undefined): Promise<Presenter> {
    return (await this.#identify(readCredential(header))).as;
  }

  /**
   * Resolves a cached credential that is still valid, synchronously. Returns undefined for any other.
   * @param header as {@link authenticate} takes it
   */
  returning(header: string | undefined): Presenter | undefined {
    const principal = header === undefined ? undefined : this.#cache.get(credentialIn(header));
    const isOver = principal?.expiresAt !== undefined && principal.expiresAt <= this.#clock.now();
    return isOver ? undefined : principal?.as;
  }

  /** Whether the credential is cached, so that checking it costs nothing. @param header as {@link authenticate} takes it */
  knows(header: string | undefined): boolean {
    return header !== undefined && this.#cache.has(credentialIn(header));
  }

  /**
   * Resolves the client that opens a tunnel.
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
    const hash = hashToken(token);
    const principal =
      kind === "acc" || kind === "auth" ? await this.#account(kind, hash) : await this.#object(kind, hash);
    if (!principal) throw new NamedError("Token Invalid");
    this.#cache.set(token, principal, generation);
    return principal;
  }

  /** The account of a living token; undefined when the account is deleted. */
  async #account(kind: AccountTokenKind, hash: string): Promise<Principal | undefined> {
    const service = this.#store.service;
    const token = await one(service.all(tokenByHash, { hash }));
    // A session token of a cookie log-in stands for that log-in, and ends with the session token.
    const login = token || kind !== "acc" ? undefined : await one(service.all(loginBySessionToken, { hash }));
    const row = token ?? login;
    if (!row || row.revoked_at !== null || row.kind !== kind) return undefined;
    const accountId = row.subject_id as Id<"acc">;
    const ecosystemIds = await livingEcosystems(service, accountId);
    const tokenId = row.id as Id<"tok">;
    const isPortal = login && { isPortal: true as const };
    return new Principal(
      { kind: "account", tokenId, ownerId: accountId, accountId, ecosystemIds, ...isPortal },
      row.expires_at,
    );
  }

  /** The object that a living token stands for; undefined when the object or its container is deleted. */
  async #object(kind: ObjectTokenKind, hash: string): Promise<Principal | undefined> {
    const [row] = await this.#objects.all({ hash });
    if (!row || row.revoked_at !== null || row.gone_at !== null || row.kind !== kind) return undefined;
    const tokenId = row.id as Id<"tok">;
    const ecosystemId = row.ecosystem_id ?? "";
    const ownerId = row.account_id ?? ecosystemId;
    const expiresAt = row.expires_at;
    switch (kind) {
      case "srv": {
        const serverId = row.subject_id as Id<"srv">;
        return new Principal({ kind: "server", tokenId, ownerId, serverId, ecosystemId }, expiresAt);
      }
      case "usr": {
        const userId = row.subject_id as Id<"usr">;
        const { sql } = this.#store.of(ecosystemId);
        const entries = await sql.all(environmentsOfUser, { eco: ecosystemId, user: userId });
        const environmentIds = new Set(entries.map((entry) => entry.environment_id));
        return new Principal({ kind: "user", tokenId, ownerId, userId, ecosystemId, environmentIds }, expiresAt);
      }
      case "cli": {
        const clientId = row.subject_id as Id<"cli">;
        const environmentId = row.environment_id ?? "";
        return new Principal({ kind: "client", tokenId, ownerId, clientId, ecosystemId, environmentId }, expiresAt);
      }
    }
  }
}

function gatheredObjects(store: CredentialStore) {
  return store.gathered(objectByToken);
}

/** Caches callers by token, so that a repeated request needs no query; bounded, the least recently used is evicted first. */
interface CachedPrincipal extends Credentialed {
  /** Wall clock, ms. */
  readonly expiresAt: number | undefined;
}

export class TokenCache<P extends CachedPrincipal> {
  readonly #byToken: BoundedMap<string, P>;
  #revocations = 0;

  constructor(capacity: number) {
    this.#byToken = new BoundedMap(capacity);
  }

  get(token: string): P | undefined {
    const found = this.#byToken.get(token);
    if (found) this.#byToken.set(token, found);
    return found;
  }

  has(token: string): boolean {
    return this.#byToken.has(token);
  }

  /** Counts revocations: take it before the store is read, and pass it to {@link set}. */
  get generation(): number {
    return this.#revocations;
  }

  /** Caches a principal, unless a revocation came after the read began: the row can be older than the revocation. */
  set(token: string, principal: P, generation: number): void {
    // A copy of the text: V8 keeps the whole header in memory for a slice of it.
    if (generation === this.#revocations) this.#byToken.set(Buffer.from(token).toString(), principal);
  }

  /** Scans the whole cache: revocations are rare, and an index by subject would take memory for every idle tunnel. */
  forget(revocation: Revocation): void {
    this.#revocations += 1;
    for (const [token, principal] of this.#byToken) if (isEndedBy(revocation, principal)) this.#byToken.delete(token);
  }
}
