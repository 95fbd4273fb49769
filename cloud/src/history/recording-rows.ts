/** What is stored of an ecosystem's recording: the position in its log, and the settings, with their defaults. */
import { one, type Sql, statement, type Transaction } from "../store/index.ts";

export interface Position {
  /** Sequence of the last recorded event. */
  readonly sequence: number;
  /** When that event was stored, wall clock, ms. */
  readonly at: number;
}

const selectPosition = statement<{ eco: string }>("history_position")((db, p) =>
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
  const row = await one(sql.all(selectPosition, { eco }));
  return row && { sequence: Number(row.sequence), at: Number(row.at) };
}

/**
 * Only one process succeeds in moving the position from a given value, so that each slice is recorded once.
 * @param from the expected position; undefined: none yet @returns whether it was as expected
 */
export async function movePosition(tx: Transaction, eco: string, from: Position | undefined, to: Position) {
  const { sequence, at } = to;
  const moved = from
    ? await tx.run(move, { eco, from: from.sequence, to: sequence, at })
    : await tx.run(begin, { eco, to: sequence, at });
  return moved > 0;
}

export interface HistoryChoice {
  readonly enabled: boolean;
  readonly rawDays: number;
  readonly statisticsDays: number;
}

const selectChoice = statement<{ eco: string }>("history_settings")((db, p) =>
  db.selectFrom("history_settings").selectAll().where("ecosystem_id", "=", p.eco),
);
type Row = { eco: string; enabled: number; raw: number; statistics: number };
const upsert = statement<Row>("write_history_settings")((db, p) =>
  db
    .insertInto("history_settings")
    .values({ ecosystem_id: p.eco, enabled: p.enabled, raw_days: p.raw, statistics_days: p.statistics })
    .onConflict((conflict) =>
      conflict.column("ecosystem_id").doUpdateSet((of) => ({
        enabled: of.ref("excluded.enabled"),
        raw_days: of.ref("excluded.raw_days"),
        statistics_days: of.ref("excluded.statistics_days"),
      })),
    ),
);

/** @param most limit of the service, which applies also to settings made under a larger one */
export async function choiceOf(sql: Sql, eco: string, byDefault: HistoryChoice, most: Omit<HistoryChoice, "enabled">) {
  const row = await one(sql.all(selectChoice, { eco }));
  return {
    enabled: row ? row.enabled === 1 : byDefault.enabled,
    rawDays: Math.min(row?.raw_days ?? byDefault.rawDays, most.rawDays),
    statisticsDays: Math.min(row?.statistics_days ?? byDefault.statisticsDays, most.statisticsDays),
  };
}

export function writeChoice(sql: Sql, eco: string, { enabled, rawDays, statisticsDays }: HistoryChoice) {
  return sql.run(upsert, { eco, enabled: enabled ? 1 : 0, raw: rawDays, statistics: statisticsDays });
}
