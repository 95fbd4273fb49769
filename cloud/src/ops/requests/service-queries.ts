/** This module's queries outside ecosystems: whether the store answers, an account's records, expired rows. */

import { sql } from "kysely";
import {
  type AuditEntryRow,
  type Bound,
  one,
  type RequestLogRow,
  type Statement,
  type Store,
  statement,
} from "../../store/index.ts";

const DIRECTION = { oldest: "asc", newest: "desc" } as const;

const anyNode = statement<Record<never, never>>("any_node")((db) => db.selectFrom("nodes").select("id").limit(1));

/** Resolves when the store answers. @throws what the store throws */
export async function askStore(store: Store): Promise<void> {
  await store.service.all(anyNode, {});
}

/** The first row of a retention query. */
export function firstOf<P extends Readonly<Record<string, Bound>>, R>(
  store: Store,
  question: Statement<P, R>,
  params: P,
): Promise<R | undefined> {
  return one(store.service.all(question, params));
}

/** A page of a log. */
export interface LogPart {
  /** Begins after the entry with this ID, in its order; "" at the start. */
  readonly after: string;
  readonly order: "oldest" | "newest";
  readonly limit: number;
}

export interface AuditQuery {
  readonly accountId: string;
  readonly ecosystemId: string | undefined;
  /** Wall clock, ms, inclusive. */
  readonly since: number | undefined;
  /** Wall clock, ms, exclusive. */
  readonly until: number | undefined;
  /** Kind of the actor. */
  readonly actor: string | undefined;
  /** An action, or `zone.*` for all actions on zones. */
  readonly action: string | undefined;
  readonly part: LogPart;
}

export function auditEntries(store: Store, asked: AuditQuery): Promise<AuditEntryRow[]> {
  const { accountId, ecosystemId, since, until, actor, action, part } = asked;
  const { after, order, limit } = part;
  let query = store.service.build.selectFrom("audit_entries").selectAll().where("account_id", "=", accountId);
  if (after !== "") query = query.where("id", order === "newest" ? "<" : ">", after);
  if (ecosystemId !== undefined) query = query.where("ecosystem_id", "=", ecosystemId);
  if (since !== undefined) query = query.where("at", ">=", since);
  if (until !== undefined) query = query.where("at", "<", until);
  if (actor !== undefined) query = query.where("actor_type", "=", actor);
  // The character after the dot, in byte order.
  if (action?.endsWith(".*"))
    query = query.where("action", ">", action.slice(0, -1)).where("action", "<", `${action.slice(0, -2)}/`);
  else if (action !== undefined) query = query.where("action", "=", action);
  return store.service.query(query.orderBy("id", DIRECTION[order]).limit(limit));
}

/** A filter for requests; without fields it matches all. */
export interface RequestCondition {
  /** The smallest and the largest HTTP status. */
  readonly status?: readonly [least: number, most: number] | undefined;
  readonly method?: string | undefined;
  /** A part of the requested path, or of its route. */
  readonly path?: string | undefined;
  /** Wall clock, ms, inclusive. */
  readonly since?: number | undefined;
  /** Wall clock, ms, exclusive. */
  readonly until?: number | undefined;
  readonly tokenId?: string | undefined;
  /** `x-request-id` of the answer; a client may have sent the same one several times. */
  readonly requestId?: string | undefined;
}

export interface RequestQuery {
  readonly owner: { readonly accountId: string; readonly ecosystemId?: string } | { readonly ecosystemId: string };
  readonly filter: RequestCondition;
  readonly part: LogPart;
}

/** Tests for a substring by removing it and comparing: the stores share no function for substring search. */
function holds(column: "path" | "route", part: string) {
  return sql<boolean>`replace(${sql.ref(column)}, ${part}, '') <> ${sql.ref(column)}`;
}

export function loggedRequests(store: Store, asked: RequestQuery): Promise<RequestLogRow[]> {
  const { owner, filter, part } = asked;
  const { status, method, path, since, until, tokenId, requestId } = filter;
  const { after, order, limit } = part;
  let query = store.service.build.selectFrom("request_log").selectAll();
  if (after !== "") query = query.where("id", order === "newest" ? "<" : ">", after);
  if ("accountId" in owner) query = query.where("account_id", "=", owner.accountId);
  if (owner.ecosystemId !== undefined) query = query.where("ecosystem_id", "=", owner.ecosystemId);
  if (status !== undefined) query = query.where("status", ">=", status[0]).where("status", "<=", status[1]);
  if (method !== undefined) query = query.where("method", "=", method);
  if (path !== undefined) query = query.where((of) => of.or([holds("path", path), holds("route", path)]));
  if (since !== undefined) query = query.where("at", ">=", since);
  if (until !== undefined) query = query.where("at", "<", until);
  if (tokenId !== undefined) query = query.where("token_id", "=", tokenId);
  if (requestId !== undefined) query = query.where("request_id", "=", requestId);
  return store.service.query(query.orderBy("id", DIRECTION[order]).limit(limit));
}

const ecosystemsOf = statement<{ account: string }>("quota_use_of_account")((db, p) =>
  db
    .selectFrom("ecosystems")
    .select((of) => of.fn.countAll<number>().as("count"))
    .where("account_id", "=", p.account)
    .where("gone_at", "is", null),
);

/** Number of an account's living ecosystems. */
export async function countEcosystems(store: Store, account: string): Promise<number> {
  return (await one(store.service.all(ecosystemsOf, { account })))?.count ?? 0;
}

const fullestSubject = statement<{ eco: string; now: number }>("fullest_token_subject")((db, p) =>
  db
    .selectFrom("tokens")
    .select((of) => of.fn.countAll<number>().as("count"))
    .where("ecosystem_id", "=", p.eco)
    .where("revoked_at", "is", null)
    .where((of) => of.or([of("expires_at", "is", null), of("expires_at", ">", p.now)]))
    .groupBy("subject_id")
    .orderBy("count", "desc")
    .limit(1),
);

/** Tokens of the subject with most tokens in an ecosystem. */
export async function countTokens(store: Store, eco: string, now: number): Promise<number> {
  return (await one(store.service.all(fullestSubject, { eco, now })))?.count ?? 0;
}

/** Versions requested by living tokens since then. @param account of this account only; undefined: all */
export function versionRows(store: Store, account: string | undefined, now: number, since: number) {
  const query = store.service.build
    .selectFrom("token_versions")
    .innerJoin("tokens", "tokens.id", "token_versions.token_id")
    .leftJoin("ecosystems", "ecosystems.id", "tokens.ecosystem_id")
    .innerJoin("accounts", (join) =>
      join.on((of) =>
        of("accounts.id", "=", of.fn.coalesce(of.ref("tokens.account_id"), of.ref("ecosystems.account_id"))),
      ),
    )
    .select([
      "accounts.id as accountId",
      "accounts.email",
      "tokens.id as tokenId",
      "tokens.kind",
      "tokens.subject_id as subjectId",
      "token_versions.via",
      "token_versions.version",
      "token_versions.last_seen_at as lastSeenAt",
      "token_versions.count",
    ])
    .where("tokens.revoked_at", "is", null)
    .where((of) => of.or([of("tokens.expires_at", "is", null), of("tokens.expires_at", ">", now)]))
    .where("token_versions.last_seen_at", ">=", since)
    .orderBy("accounts.id")
    .orderBy("tokens.id")
    .orderBy("token_versions.version");
  return store.service.query(account === undefined ? query : query.where("accounts.id", "=", account));
}

/** Accounts after the one with that ID that were not notified of a release, in order. */
export function accountsToTell(store: Store, release: string, after: string, limit: number): Promise<{ id: string }[]> {
  return store.service.query(
    store.service.build
      .selectFrom("accounts")
      .leftJoin("version_notices", (join) =>
        join.onRef("version_notices.account_id", "=", "accounts.id").on("version_notices.release", "=", release),
      )
      .select("accounts.id")
      .where("version_notices.account_id", "is", null)
      .where("accounts.id", ">", after)
      .orderBy("accounts.id")
      .limit(limit),
  );
}
