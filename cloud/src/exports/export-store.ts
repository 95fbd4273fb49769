/**
 * Exports in the store: started, claimed, filled, ended and deleted, each in the caller's job; and their archives as chunks of one
 * length.
 */
import {
  type AccountExportRow,
  type ExportChunkRow,
  one,
  type Sql,
  statement,
  type Transaction,
} from "../store/index.ts";

/** Bytes of every chunk but the last: 256 KiB as base64, so that the job that stores one takes a few milliseconds. */
export const CHUNK = 192 * 1024;

/** Regroups the bytes into chunks; the last may be shorter. */
export async function* inChunks(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let some: Buffer[] = [];
  let length = 0;
  for await (let part of parts) {
    while (length + part.length >= CHUNK) {
      const rest = CHUNK - length;
      yield Buffer.concat([...some, part.subarray(0, rest)]);
      part = part.subarray(rest);
      some = [];
      length = 0;
    }
    if (part.length === 0) continue;
    some.push(part);
    length += part.length;
  }
  if (length > 0) yield Buffer.concat(some);
}

/** Range of an archive: the offsets of its first and its last byte. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * The bytes of a range.
 * @param read returns the chunk at a place; undefined when it has been deleted
 * @throws Error when a chunk is missing, so that the reader cannot take a truncated archive for the whole
 */
export async function* readRange(
  { first, last }: ByteRange,
  read: (place: number) => Promise<Buffer | undefined>,
): AsyncGenerator<Buffer> {
  for (let at = first; at <= last; ) {
    const place = Math.floor(at / CHUNK);
    const chunk = await read(place);
    const part = chunk?.subarray(at - place * CHUNK, last + 1 - place * CHUNK);
    if (!part || part.length === 0) throw new Error("the archive was removed while it was read");
    yield part;
    at += part.length;
  }
}

const RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/;

/**
 * Parses the single range of a request (RFC 9110, section 14), limited to the archive.
 * @returns undefined for the whole archive: without a range, with one that is not understood, and with one without a byte
 */
export function rangeAsked(header: string | undefined, size: number): ByteRange | undefined {
  const [, from = "", to = ""] = RANGE.exec(header ?? "") ?? [];
  if (from === "" && to === "") return undefined;
  const end = size - 1;
  // A suffix range.
  if (from === "") return Number(to) > 0 ? { first: Math.max(0, size - Number(to)), last: end } : undefined;
  const range = { first: Number(from), last: to === "" ? end : Math.min(Number(to), end) };
  return range.first <= range.last ? range : undefined;
}

/** An attempt at an export: its writes are void as soon as another attempt has begun, or the export is gone. */
export interface ExportAttempt {
  readonly account: string;
  readonly id: string;
  readonly attempt: number;
}

/** The result of an attempt. */
export interface ExportEnd {
  readonly state: "ready" | "failed";
  readonly problem?: "too_large" | "failed" | undefined;
  /** When row and archive are deleted, wall clock, ms. */
  readonly expiresAt: number;
}

/** The export no longer belongs to this attempt: another node has begun a new one, or the export is gone. */
export class ExportLost extends Error {
  constructor() {
    super("another attempt has taken the place of this one, or the export is gone");
  }
}

type Of = { account: string };
type AttemptOf = Of & { id: string; attempt: number };

const selectExport = statement<Of>("export_of_account")((db, p) =>
  db.selectFrom("account_exports").selectAll().where("account_id", "=", p.account),
);
const startStatement = statement<Of & { id: string; now: number }>("start_export")((db, p) =>
  db
    .insertInto("account_exports")
    .values({
      account_id: p.account,
      id: p.id,
      state: "running",
      started_at: p.now,
      node_id: null,
      attempt: 0,
      bytes: 0,
      ended_at: null,
      expires_at: null,
      problem: null,
    })
    .onConflict((conflict) =>
      conflict.column("account_id").doUpdateSet({
        id: p.id,
        state: "running",
        started_at: p.now,
        node_id: null,
        attempt: 0,
        bytes: 0,
        ended_at: null,
        expires_at: null,
        problem: null,
      }),
    ),
);
const claimStatement = statement<AttemptOf & { node: string | null; next: number }>("claim_export")((db, p) =>
  db
    .updateTable("account_exports")
    .set({ node_id: p.node, attempt: p.next, bytes: 0 })
    .where("account_id", "=", p.account)
    .where("id", "=", p.id)
    .where("attempt", "=", p.attempt)
    .where("state", "=", "running"),
);
const growStatement = statement<AttemptOf & { bytes: number }>("grow_export")((db, p) =>
  db
    .updateTable("account_exports")
    .set({ bytes: p.bytes })
    .where("account_id", "=", p.account)
    .where("id", "=", p.id)
    .where("attempt", "=", p.attempt)
    .where("state", "=", "running"),
);
type Chunk = { [K in keyof ExportChunkRow]: ExportChunkRow[K] };
const insertChunk = statement<Chunk>("insert_export_chunk")((db, p) =>
  db.insertInto("export_chunks").values({
    account_id: p.account_id,
    export_id: p.export_id,
    attempt: p.attempt,
    place: p.place,
    data: p.data,
  }),
);
type End = AttemptOf & { state: string; problem: string | null; at: number; expires: number };
const endStatement = statement<End>("end_export")((db, p) =>
  db
    .updateTable("account_exports")
    .set({ state: p.state, problem: p.problem, ended_at: p.at, expires_at: p.expires, node_id: null })
    .where("account_id", "=", p.account)
    .where("id", "=", p.id)
    .where("attempt", "=", p.attempt)
    .where("state", "=", "running"),
);
const dropStatement = statement<Of>("drop_export")((db, p) =>
  db.deleteFrom("account_exports").where("account_id", "=", p.account),
);
const dropExpired = statement<{ now: number }>("drop_expired_exports")((db, p) =>
  db.deleteFrom("account_exports").where("expires_at", "<=", p.now),
);

/** Undefined when the account has none. */
export function exportOf(sql: Sql, account: string): Promise<AccountExportRow | undefined> {
  return one<AccountExportRow>(sql.all(selectExport, { account }));
}

/** Starts an export, which replaces an earlier one; a sweep deletes that one's archive. */
export async function startExport(tx: Transaction, account: string, id: string): Promise<void> {
  await tx.run(startStatement, { account, id, now: tx.now() });
}

/** Begins the next attempt. Returns undefined when the export has changed since. @param seen the export as it was read */
export async function claimExport(
  tx: Transaction,
  seen: AccountExportRow,
  node: string | null,
): Promise<ExportAttempt | undefined> {
  const { account_id: account, id, attempt } = seen;
  const next = attempt + 1;
  const claimed = await tx.run(claimStatement, { account, id, attempt, node, next });
  return claimed === 0 ? undefined : { account, id, attempt: next };
}

/** @param place counted from 0 @param bytes of the archive with this chunk @throws ExportLost */
export async function addChunk(
  tx: Transaction,
  attempt: ExportAttempt,
  place: number,
  chunk: Buffer,
  bytes: number,
): Promise<void> {
  // First: it locks the row, so that no chunk is added to an export that is being deleted.
  if ((await tx.run(growStatement, { ...attempt, bytes })) === 0) throw new ExportLost();
  const data = chunk.toString("base64");
  const { account: account_id, id: export_id } = attempt;
  await tx.run(insertChunk, { account_id, export_id, attempt: attempt.attempt, place, data });
}

/** @throws ExportLost */
export async function endExport(tx: Transaction, attempt: ExportAttempt, end: ExportEnd): Promise<void> {
  const { state, problem = null, expiresAt: expires } = end;
  if ((await tx.run(endStatement, { ...attempt, state, problem, at: tx.now(), expires })) === 0) throw new ExportLost();
}

/** Deletes the export; a sweep deletes its chunks. */
export async function dropExport(tx: Transaction, account: string): Promise<void> {
  await tx.run(dropStatement, { account });
}

/** Deletes expired exports; a sweep deletes their chunks. */
export async function dropExpiredExports(tx: Transaction): Promise<void> {
  await tx.run(dropExpired, { now: tx.now() });
}
