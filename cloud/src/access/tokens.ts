/**
 * Tokens of one subject (an account, a server, a user, a client): made, listed with their last use, and ended (A1.3); and session
 * tokens.
 */
import type { Clock, Id, IdMaker, Random } from "@porchlight/shared/kernel";
import { hashToken, makeToken, referenceNotFound, type TokenKind } from "@porchlight/shared/rest";
import { type Sql, type Store, statement, type TokenRow, type Transaction } from "../store/index.ts";
import type { Keyring } from "./keyring.ts";
import type { Revocations } from "./revocations.ts";

/** A token to be issued. */
export interface NewToken {
  readonly kind: TokenKind;
  /** The account for a log-in; else the ecosystem of the subject. */
  readonly owner: { readonly accountId: string } | { readonly ecosystemId: string };
  readonly subjectId: string;
  /** Wall clock, ms; undefined is never. */
  readonly expiresAt?: number | undefined;
  /** Log-ins only: the network address that they came from. */
  readonly address?: string | undefined;
  readonly userAgent?: string | undefined;
  /** Log-ins only: a browser keeps the token as a cookie. */
  readonly isCookie?: boolean | undefined;
}

/** A new token; the account sees its text once, in the answer to its creation. */
export interface MadeToken {
  readonly id: Id<"tok">;
  readonly token: string;
  readonly createdAt: number;
  readonly expiresAt: number | undefined;
}

type PageOf = { subject: string; after: string; now: number; limit: number };
/** Lists in the order of creation; leaves out expired tokens. */
const tokensOfSubject = statement<PageOf>("tokens_of_subject")((db, p) =>
  db
    .selectFrom("tokens")
    .selectAll()
    .where("subject_id", "=", p.subject)
    .where("revoked_at", "is", null)
    .where("id", ">", p.after)
    .where((of) => of.or([of("expires_at", "is", null), of("expires_at", ">", p.now)]))
    .orderBy("id")
    .limit(p.limit),
);
const noteReading = statement<{ subject: string; at: number }>("note_token_reading")((db, p) =>
  db.updateTable("tokens").set({ read_at: p.at }).where("subject_id", "=", p.subject).where("sealed", "is not", null),
);
const revokeToken = statement<{ subject: string; id: string; at: number }>("revoke_token")((db, p) =>
  db
    .updateTable("tokens")
    .set({ revoked_at: p.at, sealed: null })
    .where("id", "=", p.id)
    .where("subject_id", "=", p.subject)
    .where("revoked_at", "is", null),
);
const revokeAll = statement<{ subject: string; at: number }>("revoke_tokens_of_subject")((db, p) =>
  db
    .updateTable("tokens")
    .set({ revoked_at: p.at, sealed: null })
    .where("subject_id", "=", p.subject)
    .where("revoked_at", "is", null)
    .returning("expires_at"),
);

const revokeOthers = statement<{ subject: string; kept: string; at: number }>("revoke_other_tokens")((db, p) =>
  db
    .updateTable("tokens")
    .set({ revoked_at: p.at, sealed: null })
    .where("subject_id", "=", p.subject)
    .where("id", "!=", p.kept)
    .where("revoked_at", "is", null)
    .returning("id"),
);

interface TokensDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: IdMaker;
  readonly keyring: Keyring;
  readonly revocations: Revocations;
}

export class Tokens {
  readonly #deps: TokensDeps;

  constructor(deps: TokensDeps) {
    this.#deps = deps;
  }

  /** Issues a token, in the caller's write job. */
  async issue(tx: Transaction, made: NewToken): Promise<MadeToken> {
    const { clock, random, ids, keyring } = this.#deps;
    const token = makeToken(made.kind, random);
    const id = ids.next("tok");
    const createdAt = clock.now();
    const row: TokenRow = {
      id,
      hash: hashToken(token),
      kind: made.kind,
      account_id: "accountId" in made.owner ? made.owner.accountId : null,
      ecosystem_id: "ecosystemId" in made.owner ? made.owner.ecosystemId : null,
      subject_id: made.subjectId,
      sealed: made.kind === "srv" ? keyring.seal(id, token) : null,
      created_at: createdAt,
      expires_at: made.expiresAt ?? null,
      revoked_at: null,
      address: made.address ?? null,
      user_agent: made.userAgent ?? null,
      by_cookie: made.isCookie ? 1 : null,
      read_at: null,
    };
    await tx.change(tx.build.insertInto("tokens").values(row));
    return { id, token, createdAt, expiresAt: made.expiresAt };
  }

  /** Living tokens of a subject after the ID `after`, oldest first. */
  list(sql: Sql, subjectId: string, after: string, limit: number): Promise<TokenRow[]> {
    return sql.all(tokensOfSubject, { subject: subjectId, after, now: this.#deps.clock.now(), limit });
  }

  /** The text of a server's token; all other tokens are shown once. Undefined also when the keyring no longer holds its key. */
  unseal(row: TokenRow): string | undefined {
    return row.sealed === null ? undefined : this.#deps.keyring.open(row.id, row.sealed);
  }

  /** Records that the readable tokens of a subject were shown. */
  async noteReading(tx: Transaction, subjectId: string): Promise<void> {
    await tx.run(noteReading, { subject: subjectId, at: this.#deps.clock.now() });
  }

  /** Revokes one token of a subject. @throws "Token Not Found" */
  async revoke(tx: Transaction, subjectId: string, id: string): Promise<void> {
    const ended = await tx.run(revokeToken, { subject: subjectId, id, at: this.#deps.clock.now() });
    if (ended === 0) throw referenceNotFound("tok");
    await this.#deps.revocations.end(tx, { kind: "token", tokenId: id, subjectId });
  }

  /** Revokes all tokens of a subject. Returns how many had not expired. */
  async revokeAll(tx: Transaction, subjectId: string): Promise<number> {
    const at = this.#deps.clock.now();
    const ended = await tx.all(revokeAll, { subject: subjectId, at });
    await this.#deps.revocations.end(tx, { kind: "subject", subjectId });
    return ended.filter(({ expires_at }) => expires_at === null || expires_at > at).length;
  }

  /** Revokes all tokens of a subject but one. */
  async revokeOthers(tx: Transaction, subjectId: string, keptId: string): Promise<void> {
    const ended = await tx.all(revokeOthers, { subject: subjectId, kept: keptId, at: this.#deps.clock.now() });
    for (const { id } of ended) await this.#deps.revocations.end(tx, { kind: "token", tokenId: id, subjectId });
  }
}

export interface TokenUse {
  /** Wall clock, ms; undefined when no use is recorded. */
  readonly lastUsedAt: number | undefined;
  readonly versions: readonly SeenVersion[];
}

interface SeenVersion {
  /** Where the request stated the version: `path` or `header`. */
  readonly via: string;
  /** "" for paths without a version. */
  readonly version: string;
  readonly first_seen_at: number;
  readonly last_seen_at: number;
  readonly count: number;
}

/** Looks up the use of these tokens; it can lag by up to ten seconds. */
export async function useOfTokens(sql: Sql, ids: readonly string[]): Promise<(id: string) => TokenUse> {
  if (ids.length === 0) return () => ({ lastUsedAt: undefined, versions: [] });
  const uses = await sql.query(sql.build.selectFrom("token_uses").selectAll().where("token_id", "in", ids));
  const versions = await sql.query(
    sql.build.selectFrom("token_versions").selectAll().where("token_id", "in", ids).orderBy("via").orderBy("version"),
  );
  const lastUsed = new Map(uses.map(({ token_id, last_used_at }) => [token_id, last_used_at]));
  const byToken = Map.groupBy(versions, ({ token_id }) => token_id);
  return (id) => ({ lastUsedAt: lastUsed.get(id), versions: byToken.get(id) ?? [] });
}

/** Lifetime, ms. */
const LIFE = 15 * 60_000;

const insertSessionToken = statement<{ hash: string; login: string; end: number }>("insert_session_token")((db, p) =>
  db.insertInto("session_tokens").values({ hash: p.hash, login_id: p.login, expires_at: p.end }),
);
const dropOldSessionTokens = statement<{ now: number }>("drop_old_session_tokens")((db, p) =>
  db.deleteFrom("session_tokens").where("expires_at", "<=", p.now),
);
const dropSessionTokensOf = statement<{ login: string }>("drop_session_tokens_of")((db, p) =>
  db.deleteFrom("session_tokens").where("login_id", "=", p.login),
);

interface SessionTokensDeps {
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * Session tokens: short-lived account tokens of a log-in whose own credential is a cookie (A2); a page holds one in memory. Each
 * acts as its log-in, under that ID, and ends with it at the latest; so no other module needs to handle them.
 */
export class SessionTokens {
  readonly #deps: SessionTokensDeps;

  constructor(deps: SessionTokensDeps) {
    this.#deps = deps;
  }

  /** Issues a session token, and deletes the expired ones. @param end of the log-in, wall clock, ms; null is never */
  async issue(tx: Transaction, loginId: string, end: number | null) {
    const now = this.#deps.clock.now();
    const token = makeToken("acc", this.#deps.random);
    const expiresAt = Math.min(now + LIFE, end ?? Number.POSITIVE_INFINITY);
    await tx.run(dropOldSessionTokens, { now });
    await tx.run(insertSessionToken, { hash: hashToken(token), login: loginId, end: expiresAt });
    return { token, expiresAt };
  }

  /** Deletes the session tokens of a log-in that ends. Returns whether it had any, that is, whether it used a cookie. */
  async drop(tx: Transaction, loginId: string): Promise<boolean> {
    return (await tx.run(dropSessionTokensOf, { login: loginId })) > 0;
  }
}
