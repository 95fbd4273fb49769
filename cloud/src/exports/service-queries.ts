/** This module's queries outside any ecosystem: exports of accounts, their chunks, and other data kept by account. */
import { type TokenUse, useOfTokens } from "../access/index.ts";
import { type AccountExportRow, one, type Store, statement, type TokenRow } from "../store/index.ts";
import { exportOf } from "./export-store.ts";

/** Most void chunks found at once. */
const MOST_VOID = 200;

type Nothing = Record<never, never>;

/** Leaves out exports that another living node has claimed; those of a dead node, or left unfinished by this one, are due. */
const dueStatement = statement<{ node: string }>("exports_due")((db, p) =>
  db
    .selectFrom("account_exports")
    .selectAll()
    .where("state", "=", "running")
    .where((of) =>
      of.or([
        of("node_id", "is", null),
        of("node_id", "=", p.node),
        of.not(
          of.exists(of.selectFrom("nodes").select("nodes.id").whereRef("nodes.id", "=", "account_exports.node_id")),
        ),
      ]),
    )
    .orderBy("started_at")
    .limit(20),
);
const chunkStatement = statement<{ account: string; id: string; attempt: number; place: number }>("export_chunk")(
  (db, p) =>
    db
      .selectFrom("export_chunks")
      .select("data")
      .where("account_id", "=", p.account)
      .where("export_id", "=", p.id)
      .where("attempt", "=", p.attempt)
      .where("place", "=", p.place),
);
const voidStatement = statement<Nothing>("void_export_chunks")((db) =>
  db
    .selectFrom("export_chunks as c")
    .leftJoin("account_exports as e", (join) =>
      join
        .onRef("e.account_id", "=", "c.account_id")
        .onRef("e.id", "=", "c.export_id")
        .onRef("e.attempt", "=", "c.attempt")
        .on("e.state", "!=", "failed"),
    )
    .select(["c.account_id", "c.export_id", "c.attempt", "c.place"])
    .where("e.id", "is", null)
    .limit(MOST_VOID),
);
const ecosystemsStatement = statement<{ account: string }>("ecosystems_to_export")((db, p) =>
  db.selectFrom("ecosystems").select(["id", "gone_at"]).where("account_id", "=", p.account).orderBy("id"),
);
const logInsStatement = statement<{ account: string; after: string; limit: number }>("log_ins_to_export")((db, p) =>
  db
    .selectFrom("tokens")
    .selectAll()
    .where("account_id", "=", p.account)
    .where("id", ">", p.after)
    .orderBy("id")
    .limit(p.limit),
);
const noticesStatement = statement<{ account: string }>("version_notices_to_export")((db, p) =>
  db
    .selectFrom("version_notices")
    .select(["release", "told_at"])
    .where("account_id", "=", p.account)
    .orderBy("told_at"),
);

/** Undefined when the account has none. */
export function findExport(store: Store, account: string): Promise<AccountExportRow | undefined> {
  return exportOf(store.service, account);
}

/** Exports that this node may begin now, those first that have waited longest. */
export function findExportsDue(store: Store): Promise<AccountExportRow[]> {
  return store.service.all(dueStatement, { node: store.nodeId });
}

/** Undefined when the chunk has been deleted. */
export async function readChunk(
  store: Store,
  { account_id: account, id, attempt }: AccountExportRow,
  place: number,
): Promise<Buffer | undefined> {
  const row = await one(store.service.all(chunkStatement, { account, id, attempt, place }));
  return row && Buffer.from(row.data, "base64");
}

export interface ChunkPlace {
  readonly account_id: string;
  readonly export_id: string;
  readonly attempt: number;
  readonly place: number;
}

/** A batch of the chunks that no longer belong to an archive. */
export function findVoidChunks(store: Store): Promise<ChunkPlace[]> {
  return store.service.all(voidStatement, {});
}

/** All ecosystems of the account, living or deleted, that still have a row, oldest first. */
export function findEcosystems(store: Store, account: string): Promise<{ id: string; gone_at: number | null }[]> {
  return store.service.all(ecosystemsStatement, { account });
}

/** All log-ins, including ended ones, each with its recorded use. */
export async function findLogIns(
  store: Store,
  account: string,
  after: string,
  limit: number,
): Promise<(TokenRow & { readonly use: TokenUse })[]> {
  const rows = await store.service.all(logInsStatement, { account, after, limit });
  const useOf = await useOfTokens(
    store.service,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ ...row, use: useOf(row.id) }));
}

/** Notices of coming versions of the API that were sent to the account. */
export function findVersionNotices(store: Store, account: string): Promise<{ release: string; told_at: number }[]> {
  return store.service.all(noticesStatement, { account });
}
