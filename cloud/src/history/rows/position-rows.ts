/** How far the log of an ecosystem is recorded. Whoever moves it from where it stood has done that slice; nobody else has. */
import { one, type Sql, statement, type Transaction } from "../../store/index.ts";

export interface Position {
  /** Of the last event that is recorded. */
  readonly sequence: number;
  /** When it was stored, wall clock, ms. */
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

/** @param from where it stood; undefined: nowhere @returns whether it stood there */
export async function movePosition(tx: Transaction, eco: string, from: Position | undefined, to: Position) {
  const { sequence, at } = to;
  const moved = from
    ? await tx.run(move, { eco, from: from.sequence, to: sequence, at })
    : await tx.run(begin, { eco, to: sequence, at });
  return moved > 0;
}
