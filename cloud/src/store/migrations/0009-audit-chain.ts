/** Audit chains: existing entries become the start of each chain, in their order. */
import { type Compilable, sql } from "kysely";
import type { Build, DialectName } from "../sql/statement.ts";
import { entryDigest, nextLink } from "../tables/audit-digest.ts";
import type { AuditLinkRow } from "../tables/audit-tables.ts";
import type { AuditEntryRow } from "../tables/tables.ts";
import { type MigrationMeans, schemaOf } from "./schema.ts";

/** Entries read per page. */
const PAGE = 500;

export async function* auditChain(
  db: Build,
  dialect: DialectName,
  means: MigrationMeans,
): AsyncGenerator<Compilable, void, void> {
  const { table, addColumn, createIndex } = schemaOf(db, dialect);
  yield addColumn("audit_entries", "chain_id", "text?");
  yield addColumn("audit_entries", "sequence", "integer?");
  yield addColumn("audit_entries", "salt", "text?");
  yield table(
    "audit_chains",
    {
      id: "text",
      account_id: "text?",
      subject: "text?",
      sequence: "integer",
      link: "text",
      base_sequence: "integer",
      base_link: "text",
      erased_at: "integer?",
    },
    ["id"],
  );
  yield createIndex("audit_chains_subject").on("audit_chains").columns(["subject"]).unique();
  yield createIndex("audit_chains_account").on("audit_chains").columns(["account_id"]);
  yield table("audit_links", { chain_id: "text", sequence: "integer", digest: "text", link: "text" }, [
    "chain_id",
    "sequence",
  ]);
  yield createIndex("audit_entries_chain")
    .on("audit_entries")
    .columns(["chain_id", "sequence"])
    .unique()
    .where(sql.ref("chain_id"), "is not", null);
  yield* chained(db, means);
}

interface Chain {
  readonly id: string;
  readonly account: string;
  sequence: number;
  link: string;
}

async function* chained(db: Build, { read, ids }: MigrationMeans): AsyncGenerator<Compilable, void, void> {
  const chains = new Map<string, Chain>();
  for (let last: AuditEntryRow | undefined; ; ) {
    const entries = await read(pageAfter(db, last));
    for (const entry of entries) {
      const subject = entry.ecosystem_id ?? entry.account_id;
      const chain = chains.get(subject) ?? begun(ids.salt(), entry.account_id);
      chains.set(subject, chain);
      const salt = ids.salt();
      const digest = entryDigest(entry, salt);
      chain.sequence += 1;
      chain.link = nextLink(chain.link, digest, chain.sequence);
      const place = { chain_id: chain.id, sequence: chain.sequence };
      const link: AuditLinkRow = { ...place, digest, link: chain.link };
      yield db.insertInto("audit_links").values(link);
      yield db
        .updateTable("audit_entries")
        .set({ ...place, salt })
        .where("account_id", "=", entry.account_id)
        .where("id", "=", entry.id);
    }
    last = entries.at(-1);
    if (!last) break;
  }
  for (const [subject, { id, account, sequence, link }] of chains) {
    const base = { base_sequence: 0, base_link: id, erased_at: null };
    yield db.insertInto("audit_chains").values({ id, account_id: account, subject, sequence, link, ...base });
  }
}

const begun = (id: string, account: string): Chain => ({ id, account, sequence: 0, link: id });

function pageAfter(db: Build, last: AuditEntryRow | undefined) {
  let query = db.selectFrom("audit_entries").selectAll();
  if (last) {
    const { account_id, id } = last;
    query = query.where((of) =>
      of.or([of("account_id", ">", account_id), of.and([of("account_id", "=", account_id), of("id", ">", id)])]),
    );
  }
  return query.orderBy("account_id").orderBy("id").limit(PAGE);
}
