/**
 * History: series, changes, statistics and gaps. Changes and statistics are partitioned by time on PostgreSQL; the
 * service creates the partitions as it needs them.
 */
import { type Compilable, type RawBuilder, sql } from "kysely";
import type { Build, DialectName } from "../sql/statement.ts";
import { schemaOf } from "./schema.ts";

export function history(db: Build, dialect: DialectName): Compilable[] {
  const { table, createIndex } = schemaOf(db, dialect);
  const isPostgres = dialect === "postgres";
  const raw = (text: RawBuilder<unknown>): Compilable => ({ compile: () => text.compile(db) });
  const text = isPostgres ? sql`text collate "C"` : sql`text`;
  const integer = isPostgres ? sql`bigint` : sql`integer`;
  const real = isPostgres ? sql`double precision` : sql`real`;
  const byTime = (column: string) => (isPostgres ? sql`partition by range (${sql.ref(column)})` : sql`without rowid`);
  const number = isPostgres
    ? sql`bigint generated always as identity primary key`
    : sql`integer primary key autoincrement`;
  const steps = (name: string) =>
    raw(sql`create table ${sql.table(name)} (
      series ${integer} not null, start ${integer} not null, "count" ${integer} not null, known_ms ${integer} not null,
      "min" ${real}, "max" ${real}, area ${real} not null, growth ${real} not null, resets ${integer} not null,
      "last" ${text} not null, states ${text}, primary key (series, start)) ${byTime("start")}`);
  return [
    raw(sql`create table history_series (
      series ${number}, ecosystem_id ${text} not null, environment_id ${text} not null, device_id ${text} not null,
      service ${text} not null, idx ${text} not null, property ${text} not null, kind ${text} not null, unit ${text},
      state ${text} not null, gone ${integer} not null)`),
    createIndex("history_series_property")
      .on("history_series")
      .columns(["ecosystem_id", "device_id", "service", "idx", "property"])
      .unique()
      .where(sql.ref("gone"), "=", sql.lit(0)),
    createIndex("history_series_gone").on("history_series").columns(["series"]).where(sql.ref("gone"), "=", sql.lit(1)),
    raw(sql`create table history_points (
      series ${integer} not null, at ${integer} not null, sequence ${integer} not null, value ${text} not null,
      primary key (series, at, sequence)) ${byTime("at")}`),
    steps("history_five_minutes"),
    steps("history_hours"),
    table("history_positions", { ecosystem_id: "text", sequence: "integer", at: "integer" }, ["ecosystem_id"]),
    table(
      "history_gaps",
      { ecosystem_id: "text", subject_id: "text", since: "integer", until: "integer?", restarted: "integer" },
      ["ecosystem_id", "subject_id", "since"],
    ),
    table(
      "history_settings",
      { ecosystem_id: "text", enabled: "integer", raw_days: "integer?", statistics_days: "integer?" },
      ["ecosystem_id"],
    ),
  ];
}
