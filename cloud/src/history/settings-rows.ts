/** The history settings of an ecosystem, with their defaults. */
import { one, type Sql, statement } from "../store/index.ts";

export interface HistoryChoice {
  readonly enabled: boolean;
  readonly rawDays: number;
  readonly statisticsDays: number;
}

const select = statement<{ eco: string }>("history_settings")((db, p) =>
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
  const row = await one(sql.all(select, { eco }));
  return {
    enabled: row ? row.enabled === 1 : byDefault.enabled,
    rawDays: Math.min(row?.raw_days ?? byDefault.rawDays, most.rawDays),
    statisticsDays: Math.min(row?.statistics_days ?? byDefault.statisticsDays, most.statisticsDays),
  };
}

export function writeChoice(sql: Sql, eco: string, { enabled, rawDays, statisticsDays }: HistoryChoice) {
  return sql.run(upsert, { eco, enabled: enabled ? 1 : 0, raw: rawDays, statistics: statisticsDays });
}
