/**
 * Sinks in the store: at most one row for each ecosystem, with its position in the log; and as the API shows them: never with
 * their token.
 */

import { formatTime, type Sink } from "@porchlight/shared/api";
import { sealedColumn } from "../access/index.ts";
import { one, type SinkRow, type Sql, statement, type Transaction } from "../store/index.ts";

const select = statement<{ eco: string }>("sink")((db, p) =>
  db
    .selectFrom("sinks")
    .innerJoin("ecosystems", "ecosystems.id", "sinks.ecosystem_id")
    .selectAll("sinks")
    .where("sinks.ecosystem_id", "=", p.eco)
    .where("ecosystems.gone_at", "is", null),
);
const drop = statement<{ eco: string }>("drop_sink")((db, p) =>
  db.deleteFrom("sinks").where("ecosystem_id", "=", p.eco),
);
const selectAliases = (sql: Sql, eco: string, ids: readonly string[]) =>
  sql.build
    .selectFrom("objects")
    .select(["id", "alias"])
    .where("ecosystem_id", "=", eco)
    .where("id", "in", ids)
    .where("alias", "is not", null);

/** The purpose that a sink's token is sealed for. */
export function tokenPurpose(eco: string): string {
  return `sink ${eco}`;
}

/** The tokens of all sinks, for sealing with a new key. */
export const SEALED_SINKS = sealedColumn({
  table: "sinks",
  column: "token",
  key: ["ecosystem_id"],
  purpose: tokenPurpose,
  isTenants: true,
});

/** Undefined for an ecosystem without a sink, or a deleted one. */
export function findSink(sql: Sql, eco: string): Promise<SinkRow | undefined> {
  return one(sql.all(select, { eco }));
}

export async function insertSink(tx: Transaction, row: SinkRow): Promise<void> {
  await tx.change(tx.build.insertInto("sinks").values(row));
}

/** Runs in the queue of its ecosystem, where no other job changes the settings. */
export async function changeSink(tx: Transaction, { ecosystem_id: eco, ...row }: SinkRow): Promise<void> {
  await tx.change(tx.build.updateTable("sinks").set(row).where("ecosystem_id", "=", eco));
}

export async function dropSink(tx: Transaction, eco: string): Promise<boolean> {
  return (await tx.run(drop, { eco })) > 0;
}

/** The columns that delivery changes: never the settings. */
export type Progress = Partial<Omit<SinkRow, "ecosystem_id" | "url" | "token" | "enabled" | "revision" | "created_at">>;

/**
 * Stores the result of an attempt, unless the settings were changed meanwhile, or another node has stored a result.
 * @param before the row as it was read before the attempt
 * @returns whether it was written
 */
export async function moveSink(tx: Transaction, before: SinkRow, progress: Progress): Promise<boolean> {
  const { ecosystem_id, position, revision, attempts } = before;
  const moved = await tx.change(
    tx.build
      .updateTable("sinks")
      .set(progress)
      .where("ecosystem_id", "=", ecosystem_id)
      .where("position", "=", position)
      .where("revision", "=", revision)
      .where("attempts", "=", attempts),
  );
  return moved > 0;
}

/** The aliases by device ID, of devices that have one. */
export async function aliasesOf(sql: Sql, eco: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await sql.query(selectAliases(sql, eco, ids));
  return new Map(rows.flatMap(({ id, alias }) => (alias === null ? [] : [[id, alias]])));
}

/** @param newest sequence of the newest event of its ecosystem */
export function sinkResource(row: SinkRow, newest: number): Sink {
  const { tried_at, status, failing_since, retry_at, error, refused_error, lost_at } = row;
  return {
    ecosystemId: row.ecosystem_id,
    url: row.url,
    measurementPrefix: row.measurement_prefix,
    enabled: row.enabled === 1,
    hasToken: row.token !== null,
    createdAt: formatTime(row.created_at),
    behind: Math.max(0, newest - row.position),
    ...(tried_at !== null && { lastDelivery: { at: formatTime(tried_at), ...(status !== null && { status }) } }),
    ...(failing_since !== null && { failingSince: formatTime(failing_since) }),
    ...(retry_at !== null && { nextAttemptAt: formatTime(retry_at) }),
    ...(error !== null && { error }),
    refusedLines: row.refused_lines,
    ...(refused_error !== null && { refusedError: refused_error }),
    lostEvents: row.lost_events,
    ...(lost_at !== null && { lostAt: formatTime(lost_at) }),
  };
}
