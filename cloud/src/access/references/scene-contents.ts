/** What scenes name leaves them when it is deleted, as it leaves zones: its own file, because a scene has items and triggers. */
import type { Sql, Transaction } from "../../store/index.ts";

/** Where an object can stand in a scene. */
const NAMED = [
  { table: "scene_items", column: "target_id" },
  { table: "scene_triggers", column: "device_id" },
] as const;

/**
 * Zones or devices leave every scene, in the job in which they go. A scene has a later version then: one for each row, because readers
 * have counted the rows of what was gone already.
 */
export async function leaveScenes(tx: Transaction, eco: string, ids: readonly string[]): Promise<void> {
  for (const { table, column } of NAMED) {
    for (const { scene_id: id, count } of await rowsByScene(tx, table, column, eco, ids)) {
      await tx.change(
        tx.build
          .updateTable("objects")
          .set((of) => ({ version: of("version", "+", Number(count)) }))
          .where("ecosystem_id", "=", eco)
          .where("id", "=", id),
      );
    }
    await tx.change(tx.build.deleteFrom(table).where("ecosystem_id", "=", eco).where(column, "in", ids));
  }
}

/** Nothing stands in these scenes any more, in the job in which they go. */
export async function emptyScenes(tx: Transaction, eco: string, ids: readonly string[]): Promise<void> {
  for (const { table } of NAMED)
    await tx.change(tx.build.deleteFrom(table).where("ecosystem_id", "=", eco).where("scene_id", "in", ids));
}

function rowsByScene(
  sql: Sql,
  table: (typeof NAMED)[number]["table"],
  column: (typeof NAMED)[number]["column"],
  eco: string,
  ids: readonly string[],
) {
  return sql.query(
    sql.build
      .selectFrom(table)
      .select((of) => ["scene_id", of.fn.countAll<number>().as("count")])
      .where("ecosystem_id", "=", eco)
      .where(column, "in", ids)
      .groupBy("scene_id"),
  );
}
