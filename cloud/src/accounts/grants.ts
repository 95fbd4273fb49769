/** Grants of an account besides its log-ins, and their makers: tokens, webhooks and sinks of all its ecosystems. */

import { formatTime, type Grant } from "@porchlight/shared/api";
import type { Clock } from "@porchlight/shared/kernel";
import { type AccountCaller, useOfTokens } from "../access/index.ts";
import { mergedPage } from "../places/index.ts";
import { type AuditEntryRow, type Build, one, type Sql, type Store, statement } from "../store/index.ts";
import { ecosystemsOf, makingOf } from "./service-queries.ts";

/** A grant, before its maker is looked up. */
interface GrantRow {
  readonly id: string;
  /** `srv`, `usr`, `cli`, `whk` or `sink`. */
  readonly kind: string;
  readonly ecosystem_id: string;
  readonly environment_id: string | null;
  readonly subject_id: string | null;
  readonly alias: string | null;
  readonly created_at: number;
  readonly expires_at: number | null;
}

/** A page of a list in the order of IDs. */
interface GrantPart {
  /** Begins after this ID, in the page's order; "" at the start. */
  readonly after: string;
  readonly order: "oldest" | "newest";
  readonly limit: number;
}

type Asked = { eco: string; account: string; since: number; after: string; now: number; limit: number };

/** Tokens of an ecosystem that are valid at that time: neither they nor their subject, nor its container, have ended. */
function livingTokens(db: Build, p: { readonly eco: string; readonly now: number }) {
  return db
    .selectFrom("objects")
    .innerJoin("tokens", "tokens.subject_id", "objects.id")
    .leftJoin("objects as place", (join) =>
      join.onRef("place.ecosystem_id", "=", "objects.ecosystem_id").onRef("place.id", "=", "objects.environment_id"),
    )
    .where("objects.ecosystem_id", "=", p.eco)
    .where("objects.kind", "in", ["srv", "usr", "cli"])
    .where("objects.gone_at", "is", null)
    .where("place.gone_at", "is", null)
    .where("tokens.revoked_at", "is", null)
    .where((of) => of.or([of("tokens.expires_at", "is", null), of("tokens.expires_at", ">", p.now)]));
}

/** Actions of that kind by an account since then. */
function doneSince(db: Build, action: string, p: { readonly account: string; readonly since: number }) {
  return db
    .selectFrom("audit_entries")
    .select("object_id")
    .where("account_id", "=", p.account)
    .where("action", "=", action)
    .where("at", ">=", p.since);
}

const DIRECTION = {
  oldest: { compare: ">", sort: "asc" },
  newest: { compare: "<", sort: "desc" },
} as const;

const tokensIn = (order: "oldest" | "newest") =>
  statement<Asked>(`granted_tokens_${order}`)((db, p) =>
    livingTokens(db, p)
      .select(["tokens.id", "tokens.kind", "tokens.subject_id", "tokens.created_at", "tokens.expires_at"])
      .select(["objects.ecosystem_id", "objects.environment_id", "objects.alias"])
      .where("tokens.created_at", ">=", p.since)
      .where("tokens.id", DIRECTION[order].compare, p.after)
      .orderBy("tokens.id", DIRECTION[order].sort)
      .limit(p.limit),
  );
const webhooksIn = (order: "oldest" | "newest") =>
  statement<Asked>(`granted_webhooks_${order}`)((db, p) =>
    db
      .selectFrom("webhooks")
      .leftJoin("objects as place", (join) =>
        join
          .onRef("place.ecosystem_id", "=", "webhooks.ecosystem_id")
          .onRef("place.id", "=", "webhooks.environment_id"),
      )
      .select(["webhooks.id", "webhooks.ecosystem_id", "webhooks.environment_id", "webhooks.created_at"])
      .where("webhooks.ecosystem_id", "=", p.eco)
      .where("place.gone_at", "is", null)
      .where((of) =>
        of.or([
          of("webhooks.created_at", ">=", p.since),
          of("webhooks.id", "in", doneSince(db, "webhook.updated", p).$castTo<{ object_id: string }>()),
        ]),
      )
      .where("webhooks.id", DIRECTION[order].compare, p.after)
      .orderBy("webhooks.id", DIRECTION[order].sort)
      .limit(p.limit),
  );
const sinksIn = (order: "oldest" | "newest") =>
  statement<Omit<Asked, "limit">>(`granted_sinks_${order}`)((db, p) =>
    db
      .selectFrom("sinks")
      .select(["ecosystem_id as id", "ecosystem_id", "created_at"])
      .where("ecosystem_id", "=", p.eco)
      .where((of) =>
        of.or([
          of("created_at", ">=", p.since),
          of("ecosystem_id", "in", doneSince(db, "ecosystem.sink_changed", p).$castTo<{ object_id: string }>()),
        ]),
      )
      .where("ecosystem_id", DIRECTION[order].compare, p.after),
  );
const TOKENS = { oldest: tokensIn("oldest"), newest: tokensIn("newest") };
const WEBHOOKS = { oldest: webhooksIn("oldest"), newest: webhooksIn("newest") };
const SINKS = { oldest: sinksIn("oldest"), newest: sinksIn("newest") };

type Place = { eco: string; now: number };
const countTokens = statement<Place>("count_granted_tokens")((db, p) =>
  livingTokens(db, p).select((of) => of.fn.countAll<number>().as("count")),
);
const countWebhooks = statement<{ eco: string }>("count_granted_webhooks")((db, p) =>
  db
    .selectFrom("webhooks")
    .select((of) => of.fn.countAll<number>().as("count"))
    .where("ecosystem_id", "=", p.eco),
);
const countSinks = statement<{ eco: string }>("count_granted_sinks")((db, p) =>
  db
    .selectFrom("sinks")
    .select((of) => of.fn.countAll<number>().as("count"))
    .where("ecosystem_id", "=", p.eco),
);

const NOT_OF_A_TOKEN = { subject_id: null, alias: null, expires_at: null };
/** Sorts after all IDs. */
const LAST = "zzzz";

/** @param since wall clock, ms: grants made then or later, and webhooks and sinks changed then or later */
async function grantRows(
  sql: Sql,
  place: { readonly eco: string; readonly account: string },
  since: number,
  now: number,
  { after, order, limit }: GrantPart,
): Promise<GrantRow[]> {
  const asked = { ...place, since, now, after: after === "" && order === "newest" ? LAST : after };
  const [sinks, tokens, webhooks] = await Promise.all([
    sql.all(SINKS[order], asked),
    sql.all(TOKENS[order], { ...asked, limit }),
    sql.all(WEBHOOKS[order], { ...asked, limit }),
  ]);
  const rows = [
    ...sinks.map((row) => ({ ...row, ...NOT_OF_A_TOKEN, kind: "sink", environment_id: null })),
    ...tokens,
    ...webhooks.map((row) => ({ ...row, ...NOT_OF_A_TOKEN, kind: "whk" })),
  ].sort((a, b) => (a.id < b.id ? -1 : 1));
  return (order === "newest" ? rows.reverse() : rows).slice(0, limit);
}

/** The number of grants in an ecosystem. */
async function countGrants(sql: Sql, eco: string, now: number): Promise<number> {
  const counts = await Promise.all([
    one(sql.all(countTokens, { eco, now })),
    one(sql.all(countWebhooks, { eco })),
    one(sql.all(countSinks, { eco })),
  ]);
  return counts.reduce((sum, row) => sum + Number(row?.count ?? 0), 0);
}

/** A grant with its resource. */
interface ShownGrant {
  readonly id: string;
  readonly resource: Grant;
}

export class Grants {
  readonly #deps: { readonly store: Store; readonly clock: Clock };

  constructor(deps: { readonly store: Store; readonly clock: Clock }) {
    this.#deps = deps;
  }

  /** @param since wall clock, ms: grants made or changed then or later; undefined for all */
  list(caller: AccountCaller, since: number | undefined, part: GrantPart): Promise<readonly ShownGrant[]> {
    return this.#shown(caller.accountId, caller.ecosystemIds, since, part);
  }

  /** The newest grants of an account, newest first, and the number of all. */
  async newest(account: string, limit: number): Promise<{ readonly items: readonly Grant[]; readonly count: number }> {
    const { store, clock } = this.#deps;
    const ecosystems = await ecosystemsOf(store, account);
    const shown = await this.#shown(account, ecosystems, undefined, { after: "", order: "newest", limit });
    const counts = await Promise.all(ecosystems.map((eco) => countGrants(store.of(eco).sql, eco, clock.now())));
    return { items: shown.map(({ resource }) => resource), count: counts.reduce((sum, count) => sum + count, 0) };
  }

  async #shown(
    account: string,
    ecosystems: readonly string[],
    since: number | undefined,
    part: GrantPart,
  ): Promise<readonly ShownGrant[]> {
    const { store, clock } = this.#deps;
    const { limit, order } = part;
    const fetch = (eco: string) => grantRows(store.of(eco).sql, { eco, account }, since ?? 0, clock.now(), part);
    const rows = await mergedPage(ecosystems, limit, fetch, order);
    const ids = new Set(rows.flatMap(({ id, subject_id }) => (subject_id === null ? [id] : [id, subject_id])));
    const making = Map.groupBy(await makingOf(store, account, [...ids]), ({ object_id }) => object_id ?? "");
    const useOf = await useIn(store, rows);
    return rows.map((row) => {
      const about = making.get(row.id) ?? [];
      const made = makerOf(row, about, making.get(row.subject_id ?? "") ?? []);
      const lastUsedAt = useOf(row.id);
      const changed =
        since === undefined ? undefined : about.findLast(({ action, at }) => CHANGES.has(action) && at >= since);
      return { id: row.id, resource: resourceOf(row, made, lastUsedAt, changed?.at) };
    });
  }
}

const CHANGES: ReadonlySet<string> = new Set(["webhook.updated", "ecosystem.sink_changed"]);

/** When each token was last used. */
async function useIn(store: Store, rows: readonly GrantRow[]): Promise<(id: string) => number | undefined> {
  const first = rows.find(({ subject_id }) => subject_id !== null);
  if (!first) return () => undefined;
  const tokens = rows.filter(({ subject_id }) => subject_id !== null).map(({ id }) => id);
  const useOf = await useOfTokens(store.of(first.ecosystem_id).sql, tokens);
  return (id) => useOf(id).lastUsedAt;
}

/**
 * The audit entry that names the grant's maker. For the first token of a server it is the server's entry, for the token of a paired
 * hub the entry of the approval, because the hub itself fetched the token.
 */
function makerOf(
  { id, kind, created_at }: GrantRow,
  about: readonly AuditEntryRow[],
  aboutSubject: readonly AuditEntryRow[],
): AuditEntryRow | undefined {
  if (kind === "whk") return about.find(({ action }) => action === "webhook.created");
  if (kind === "sink") return about.findLast(({ action }) => action === "ecosystem.sink_changed");
  const made = about.find(({ action }) => action === "token.created");
  if (made && made.actor_type !== "client") return made;
  const ofServer = aboutSubject.find(
    ({ action, detail }) => action === "server.created" && JSON.parse(detail).tokenId === id,
  );
  const approved = aboutSubject.findLast(({ action, at }) => action === "pairing.approved" && at <= created_at);
  return ofServer ?? approved ?? made;
}

const TYPES: Readonly<Record<string, Grant["type"]>> = {
  ...{ srv: "server_token", usr: "user_token", cli: "client_token" },
  ...{ whk: "webhook", sink: "sink" },
};
const COLLECTIONS: Readonly<Record<string, string>> = { srv: "servers", usr: "users", cli: "clients" };

function resourceOf(
  row: GrantRow,
  made: AuditEntryRow | undefined,
  lastUsedAt: number | undefined,
  changedAt: number | undefined,
): Grant {
  return {
    id: row.id,
    type: TYPES[row.kind] ?? "user_token",
    ecosystemId: row.ecosystem_id,
    ...(row.environment_id !== null && { environmentId: row.environment_id }),
    ...(row.subject_id !== null && { subjectId: row.subject_id }),
    ...(row.alias !== null && { alias: row.alias }),
    createdAt: formatTime(row.created_at),
    ...(changedAt !== undefined && { changedAt: formatTime(changedAt) }),
    ...(row.expires_at !== null && { expiresAt: formatTime(row.expires_at) }),
    ...(lastUsedAt !== undefined && { lastUsedAt: formatTime(lastUsedAt) }),
    ...(made && {
      // Trusted: `audit` wrote the column.
      madeBy: {
        type: made.actor_type as NonNullable<Grant["madeBy"]>["type"],
        ...(made.actor_id !== null && { id: made.actor_id }),
      },
    }),
    ...(made && made.address !== null && { address: made.address }),
    path: pathOf(row),
  };
}

function pathOf({ kind, id, ecosystem_id, subject_id }: GrantRow): string {
  if (kind === "whk") return `/api/webhooks/${id}`;
  if (kind === "sink") return `/api/ecosystems/${ecosystem_id}/sink`;
  return `/api/${COLLECTIONS[kind]}/${subject_id}/tokens/${id}`;
}
