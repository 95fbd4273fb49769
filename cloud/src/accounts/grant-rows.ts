/** The rows of grants to an ecosystem: living tokens of its servers, users and hubs, its webhooks, its sink. */
import { type Build, one, type Sql, statement } from "../store/index.ts";

/** A grant, before its maker is looked up. */
export interface GrantRow {
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
export interface GrantPart {
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
export async function grantRows(
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
export async function countGrants(sql: Sql, eco: string, now: number): Promise<number> {
  const counts = await Promise.all([
    one(sql.all(countTokens, { eco, now })),
    one(sql.all(countWebhooks, { eco })),
    one(sql.all(countSinks, { eco })),
  ]);
  return counts.reduce((sum, row) => sum + Number(row?.count ?? 0), 0);
}
