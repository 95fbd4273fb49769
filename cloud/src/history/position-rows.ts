/**
 * The position up to which an ecosystem's log is recorded. Only one process succeeds in moving it from a given value, so each slice
 * is recorded once.
 */
import { one, type Sql, statement, type Transaction } from "../store/index.ts";

export interface Position {
  /** Sequence of the last recorded event. */
  readonly sequence: number;
  /** When that event was stored, wall clock, ms. */
  readonly at: number;
}

const select = statement<{ eco: string }>("history_position")((db, p) =>
  db.selectFrom("history_positions").select(["sequence", "at"]).where("ecosystem_id", "=", p.eco),
);
const move = statement<{ eco: string; from: number; to: number; at: number }>("move_history_position")((db, p) =>
  db
    .updateTable("history_positions")
    .set({ sequence: p.to, at: p.at })
    .where("ecosystem_id", "=", p.eco)
    .where("sequence", "=", p.from),
);
const begin = statement<{ eco: string; to: number; at: number }>("begin_history_position")((db, p) =>
  db
    .insertInto("history_positions")
    .values({ ecosystem_id: p.eco, sequence: p.to, at: p.at })
    .onConflict((conflict) => conflict.column("ecosystem_id").doNothing()),
);

/** Undefined before the first event is recorded. */
export async function positionOf(sql: Sql, eco: string): Promise<Position | undefined> {
  const row = await one(sql.all(select, { eco }));
  return row && { sequence: Number(row.sequence), at: Number(row.at) };
}

/** @param from the expected position; undefined: none yet @returns whether it was as expected */
export async function movePosition(tx: Transaction, eco: string, from: Position | undefined, to: Position) {
  const { sequence, at } = to;
  const moved = from
    ? await tx.run(move, { eco, from: from.sequence, to: sequence, at })
    : await tx.run(begin, { eco, to: sequence, at });
  return moved > 0;
}
