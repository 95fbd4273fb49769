/** Sinks in the store: one row for each ecosystem that has one, with how far it has come. */
import { sealedColumn } from "../../access/index.ts";
import { one, type SinkRow, type Sql, statement, type Transaction } from "../../store/index.ts";

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

/** What the token of a sink is sealed for. */
export function tokenPurpose(eco: string): string {
  return `sink ${eco}`;
}

/** The tokens of all sinks, to be sealed anew. */
export const SEALED_SINKS = sealedColumn({
  table: "sinks",
  column: "token",
  key: ["ecosystem_id"],
  purpose: tokenPurpose,
  isTenants: true,
});

/** Undefined of an ecosystem that has none, or has gone. */
export function findSink(sql: Sql, eco: string): Promise<SinkRow | undefined> {
  return one(sql.all(select, { eco }));
}

export async function insertSink(tx: Transaction, row: SinkRow): Promise<void> {
  await tx.change(tx.build.insertInto("sinks").values(row));
}

/** In the queue of its ecosystem, where nobody else changes its settings. */
export async function changeSink(tx: Transaction, { ecosystem_id: eco, ...row }: SinkRow): Promise<void> {
  await tx.change(tx.build.updateTable("sinks").set(row).where("ecosystem_id", "=", eco));
}

export async function dropSink(tx: Transaction, eco: string): Promise<boolean> {
  return (await tx.run(drop, { eco })) > 0;
}

/** What delivery changes of a row: never the settings. */
export type Progress = Partial<Omit<SinkRow, "ecosystem_id" | "url" | "token" | "enabled" | "revision" | "created_at">>;

/**
 * Writes what came of an attempt, unless the settings were changed meanwhile, or another node has written what came of its own.
 * @param before as it was read before the attempt
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

/** Of those that have one, by ID. */
export async function aliasesOf(sql: Sql, eco: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await sql.query(selectAliases(sql, eco, ids));
  return new Map(rows.flatMap(({ id, alias }) => (alias === null ? [] : [[id, alias]])));
}
