/**
 * Measures the bytes of an owner's rows, in slices of a few milliseconds each: the owner is an account, whose
 * ecosystems are many tenants.
 */
import { STORAGE_KINDS, type StorageKind } from "@porchlight/shared/api";
import { type RawBuilder, sql } from "kysely";
import { one, type Store, statement, type Tables } from "../store/index.ts";

/** Rows of one slice. */
const SLICE = 2_000;
/** Size of an audit entry with its link, bytes: entries are counted and not measured. */
const AUDIT_BYTES = 900;
/** Size of a row besides its texts, with its index entries, bytes. */
const ROW_BYTES = 300;
/** Sizes of a change and of a step of history, bytes. */
const POINT_BYTES = 60;
const STEP_BYTES = 120;

type Part = { owner: string; after: string };
interface Slice {
  readonly count: number;
  /** PostgreSQL returns sums as text. */
  readonly bytes: number | string;
  readonly last: string | null;
}

/** A table whose rows are measured, those of an owner in the order of a key. */
function measured(
  table: keyof Tables,
  { owner, key, texts }: { readonly owner: string; readonly key: string; readonly texts: readonly string[] },
) {
  return measuredBy(table, { owner, key, bytes: rowBytes(texts) });
}

function rowBytes(texts: readonly string[]): RawBuilder<number> {
  const lengths = texts.map((text) => sql`coalesce(octet_length(${sql.ref(text)}), 0)`);
  return sql<number>`${sql.lit(ROW_BYTES)} + ${lengths.length > 0 ? sql.join(lengths, sql` + `) : sql.lit(0)}`;
}

const TEXTS_OF_COMMAND = ["value", "error", "origin", "hops", "confirmed_value"];
/** Size of a row of `commands`, bytes. */
export const commandBytes = () => rowBytes(TEXTS_OF_COMMAND);

function measuredBy(
  table: keyof Tables,
  { owner, key, bytes }: { readonly owner: string; readonly key: string; readonly bytes: RawBuilder<unknown> },
) {
  return statement<Part>(`storage_of_${table}_by_${owner}`)<Slice>((db, p) => ({
    compile: () =>
      sql<Slice>`select count(*) as "count", coalesce(sum(part.bytes), 0) as bytes, max(part.place) as last from (
        select ${sql.ref(key)} as place, ${bytes} as bytes from ${sql.table(table)}
        where ${sql.ref(owner)} = ${p.owner} and ${sql.ref(key)} > ${p.after}
        order by ${sql.ref(key)} limit ${sql.lit(SLICE)}) as part`.compile(db),
  }));
}

const inEcosystem = (table: keyof Tables, key: string, ...texts: string[]) =>
  measured(table, { owner: "ecosystem_id", key, texts });
const ofAccount = (table: keyof Tables, key: string, ...texts: string[]) =>
  measured(table, { owner: "account_id", key, texts });

const KEYS = measuredBy("idempotency_keys", {
  owner: "owner",
  key: "hash",
  bytes: sql`${sql.lit(ROW_BYTES)} + coalesce(octet_length(answer), 0) + coalesce((
    select sum(octet_length(value) + octet_length(step) + 100) from idempotency_steps
    where idempotency_steps.hash = idempotency_keys.hash), 0)`,
});

/** The measured tables of an ecosystem, by kind. */
const OF_ECOSYSTEM = {
  keptAnswers: [KEYS],
  objects: [
    inEcosystem("objects", "id", "meta", "alias"),
    inEcosystem("devices", "id", "description", "about"),
    inEcosystem("tokens", "id", "sealed"),
  ],
  commands: [inEcosystem("commands", "id", ...TEXTS_OF_COMMAND)],
  deliveries: [inEcosystem("deliveries", "id", "body", "response", "earlier_attempts")],
} as const;
/** The measured tables of an account. */
const OF_ACCOUNT = {
  keptAnswers: [KEYS],
  objects: [ofAccount("tokens", "id", "user_agent")],
  requests: [ofAccount("request_log", "id", "path", "problem_body")],
} as const;

const ecosystemsOf = statement<{ account: string }>("storage_ecosystems_of_account")((db, p) =>
  db.selectFrom("ecosystems").select("id").where("account_id", "=", p.account).orderBy("id"),
);
const auditOf = statement<{ account: string }>("storage_of_audit")((db, p) =>
  db.selectFrom("audit_chains").select(["sequence", "base_sequence"]).where("account_id", "=", p.account),
);
const exportOf = statement<{ account: string }>("storage_of_export")((db, p) =>
  db.selectFrom("account_exports").select("bytes").where("account_id", "=", p.account),
);
const logEnd = statement<{ eco: string }>("storage_of_event_log")((db, p) =>
  db.selectFrom("counters").select("log_bytes").where("ecosystem_id", "=", p.eco),
);
const logStart = statement<{ eco: string }>("storage_oldest_event")((db, p) =>
  db.selectFrom("events").select("log_offset").where("ecosystem_id", "=", p.eco).orderBy("sequence").limit(1),
);
const seriesOf = statement<{ eco: string; after: string }>("storage_series_of_device")((db, p) =>
  db
    .selectFrom("history_series")
    .select(["series", "device_id"])
    .where("ecosystem_id", "=", p.eco)
    .where("device_id", "=", (of) =>
      of
        .selectFrom("history_series")
        .select("device_id")
        .where("ecosystem_id", "=", p.eco)
        .where("device_id", ">", p.after)
        .where("gone", "=", 0)
        .orderBy("device_id")
        .limit(1),
    )
    .where("gone", "=", 0),
);

type SeriesPart = { series: number; after: number };
const rowsOfSeries = (table: "history_points" | "history_five_minutes" | "history_hours", at: "at" | "start") =>
  statement<SeriesPart>(`storage_of_${table}`)<{ count: number; last: number | null }>((db, p) => ({
    compile: () =>
      sql<{ count: number; last: number | null }>`select count(*) as "count", max(part.place) as last from (
        select ${sql.ref(at)} as place from ${sql.table(table)} where series = ${p.series} and ${sql.ref(at)} > ${p.after}
        order by ${sql.ref(at)} limit ${sql.lit(SLICE)}) as part`.compile(db),
  }));
const HISTORY = [
  { rows: rowsOfSeries("history_points", "at"), bytes: POINT_BYTES },
  { rows: rowsOfSeries("history_five_minutes", "start"), bytes: STEP_BYTES },
  { rows: rowsOfSeries("history_hours", "start"), bytes: STEP_BYTES },
] as const;

/** A part of an owner's storage. */
export interface Measured {
  readonly kind: StorageKind;
  readonly bytes: number;
}

/** IDs of an account's ecosystems, including deleted ones, which may have rows left. */
export async function ecosystemsOfAccount({ service }: Store, account: string): Promise<string[]> {
  return (await service.all(ecosystemsOf, { account })).map(({ id }) => id);
}

const firstOf = statement<{ eco: string }>("storage_account_of_first_ecosystem")((db, p) =>
  db
    .selectFrom("ecosystems")
    .select(["id", "account_id"])
    .where("account_id", "=", (of) => of.selectFrom("ecosystems").select("account_id").where("id", "=", p.eco))
    .where("gone_at", "is", null)
    .orderBy("id")
    .limit(1),
);

/** The account of an ecosystem, if this is its first living one. */
export async function accountOfFirst({ service }: Store, eco: string): Promise<string | undefined> {
  const first = await one(service.all(firstOf, { eco }));
  return first?.id === eco ? first.account_id : undefined;
}

/** The storage of an account without its ecosystems, slice by slice. @throws "Service Unavailable" */
export async function* storageOfAccount(store: Store, account: string): AsyncGenerator<Measured> {
  yield* slices(store, OF_ACCOUNT, account);
  const chains = await store.service.all(auditOf, { account });
  const entries = chains.reduce((sum, { sequence, base_sequence: base }) => sum + sequence - base, 0);
  yield { kind: "audit", bytes: entries * AUDIT_BYTES };
  // Stored as base64.
  const archive = await one(store.service.all(exportOf, { account }));
  yield { kind: "exports", bytes: Math.ceil(((archive?.bytes ?? 0) * 4) / 3) };
}

/** The storage of an ecosystem, slice by slice. @throws "Service Unavailable" */
export async function* storageOfEcosystem(store: Store, eco: string): AsyncGenerator<Measured> {
  yield* slices(store, OF_ECOSYSTEM, eco);
  const [end, start] = [await one(store.service.all(logEnd, { eco })), await one(store.service.all(logStart, { eco }))];
  if (start) yield { kind: "events", bytes: (end?.log_bytes ?? 0) - (start.log_offset ?? 0) };
  for (let after = ""; ; ) {
    const series = await store.service.all(seriesOf, { eco, after });
    if (series.length === 0) return;
    after = series[0]?.device_id ?? "";
    for (const each of series) yield* storageOfSeries(store, each.series);
  }
}

async function* storageOfSeries({ service }: Store, series: number): AsyncGenerator<Measured> {
  for (const { rows, bytes } of HISTORY) {
    for (let after = 0, count = SLICE; count === SLICE; ) {
      const slice = await one(service.all(rows, { series, after }));
      count = Number(slice?.count ?? 0);
      after = slice?.last ?? after;
      yield { kind: "history", bytes: count * bytes };
    }
  }
}

async function* slices(
  { service }: Store,
  tables: Partial<Readonly<Record<StorageKind, readonly (typeof KEYS)[]>>>,
  owner: string,
): AsyncGenerator<Measured> {
  for (const kind of STORAGE_KINDS) {
    for (const table of tables[kind] ?? []) {
      for (let after = "", count = SLICE; count === SLICE; ) {
        const slice = await one(service.all(table, { owner, after }));
        count = Number(slice?.count ?? 0);
        after = slice?.last ?? after;
        yield { kind, bytes: Number(slice?.bytes ?? 0) };
      }
    }
  }
}
