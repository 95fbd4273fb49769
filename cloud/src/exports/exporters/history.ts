/** Exporters of history: what properties were, change by change and in steps, in which times nothing is known, and how long it is kept. */
import { formatTime, type HistoryKind } from "@porchlight/shared/api";
import { pointOf } from "@porchlight/shared/history";
import { nextTurn } from "@porchlight/shared/kernel";
import { sql } from "kysely";
import { bucketOf } from "../../history/index.ts";
import type { HistoryPointRow, HistoryStepRow, Sql, Store } from "../../store/index.ts";
import { EXPORT_PAGE, type ExportedAccount, type Exporter } from "./exporter.ts";

type StepTable = "history_five_minutes" | "history_hours";

interface Series {
  readonly sql: Sql;
  /** Its number in the tables of changes and steps. */
  readonly number: number;
  readonly kind: HistoryKind;
  /** What each of its lines begins with. */
  readonly head: object;
}

export function historyExporters({ store }: { readonly store: Store }): Exporter[] {
  return [
    {
      name: "history-settings",
      about: "For how many days each ecosystem keeps history, if it has chosen.",
      tables: ["history_settings"],
      async *rows({ ecosystemIds }) {
        for (const ecosystemId of ecosystemIds) {
          const reader = store.of(ecosystemId);
          for (const row of await reader.sql.query(reader.from("history_settings").selectAll()))
            yield {
              ecosystemId,
              enabled: row.enabled === 1,
              ...(row.raw_days !== null && { rawDays: row.raw_days }),
              ...(row.statistics_days !== null && { statisticsDays: row.statistics_days }),
            };
        }
      },
    },
    {
      name: "history-changes",
      about: "Each change of each property, as far as it is still kept.",
      tables: ["history_series", "history_points"],
      async *rows(of) {
        for await (const series of allSeries(store, of))
          for await (const { at, value } of pointsOf(series))
            yield { ...series.head, at: formatTime(at), value: JSON.parse(value) };
      },
    },
    {
      name: "history-five-minutes",
      about: "Statistics of each property in steps of five minutes. Steps in which nothing changed are left out.",
      tables: ["history_series", "history_five_minutes"],
      rows: (of) => stepRows(store, of, "history_five_minutes"),
    },
    {
      name: "history-hours",
      about: "The same in steps of an hour.",
      tables: ["history_series", "history_hours"],
      rows: (of) => stepRows(store, of, "history_hours"),
    },
    {
      name: "history-gaps",
      about:
        "Times in which nothing is known of a property (`DEVICE SERVICE:INDEX.PROPERTY`), of a device, of the devices of a hub, or of an ecosystem: `subjectId` says which.",
      tables: ["history_gaps"],
      async *rows({ ecosystemIds }) {
        for (const eco of ecosystemIds) yield* gapRows(store, eco);
      },
    },
  ];
}

async function* stepRows(store: Store, of: ExportedAccount, table: StepTable): AsyncGenerator<object> {
  for await (const series of allSeries(store, of))
    for await (const row of stepsOf(series, table))
      yield { ...series.head, ...pointOf(series.kind, bucketOf(row), undefined) };
}

/** Of devices that are not deleted, device by device. */
async function* allSeries(store: Store, { ecosystemIds }: ExportedAccount): AsyncGenerator<Series> {
  for (const eco of ecosystemIds) {
    for (let after = ""; ; await nextTurn()) {
      const rows = await seriesAfter(store, eco, after);
      for (const { series, ecosystem_id, environment_id, device_id, service, idx, property, kind, unit } of rows)
        yield {
          sql: store.of(eco).sql,
          number: Number(series),
          // The column holds what the recorder wrote.
          kind: kind as HistoryKind,
          head: {
            ...{ ecosystemId: ecosystem_id, environmentId: environment_id, deviceId: device_id },
            ...{ service, index: idx, property, ...(unit !== null && { unit }) },
          },
        };
      const last = rows.at(-1);
      if (last === undefined || rows.length < EXPORT_PAGE) break;
      after = last.device_id;
    }
  }
}

/** A page, and the rest of its last device. */
async function seriesAfter(store: Store, eco: string, after: string) {
  const reader = store.of(eco);
  const living = () => reader.from("history_series").selectAll().where(sql.ref("gone"), "=", sql.lit(0));
  const rows = await reader.sql.query(
    living()
      .where("device_id", ">", after)
      .orderBy("device_id")
      .orderBy("service")
      .orderBy("idx")
      .orderBy("property")
      .limit(EXPORT_PAGE),
  );
  const last = rows.at(-1);
  if (last === undefined || rows.length < EXPORT_PAGE) return rows;
  const whole = await reader.sql.query(living().where("device_id", "=", last.device_id));
  return [...rows.filter(({ device_id }) => device_id !== last.device_id), ...whole];
}

async function* pointsOf({ sql: reader, number }: Series): AsyncGenerator<HistoryPointRow> {
  for (let place = { at: -1, sequence: -1 }; ; await nextTurn()) {
    const rows = await reader.query(
      reader.build
        .selectFrom("history_points")
        .selectAll()
        .where("series", "=", number)
        .where(sql<boolean>`(at, sequence) > (${sql.lit(place.at)}, ${sql.lit(place.sequence)})`)
        .orderBy("at")
        .orderBy("sequence")
        .limit(EXPORT_PAGE),
    );
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < EXPORT_PAGE) return;
    place = last;
  }
}

async function* stepsOf({ sql: reader, number }: Series, table: StepTable): AsyncGenerator<HistoryStepRow> {
  for (let after = -1; ; await nextTurn()) {
    const rows = await reader.query(
      reader.build
        .selectFrom(table)
        .selectAll()
        .where("series", "=", number)
        .where("start", ">", after)
        .orderBy("start")
        .limit(EXPORT_PAGE),
    );
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < EXPORT_PAGE) return;
    after = last.start;
  }
}

async function* gapRows(store: Store, eco: string): AsyncGenerator<object> {
  const reader = store.of(eco);
  for (let place = { subject_id: "", since: -1 }; ; await nextTurn()) {
    const rows = await reader.sql.query(
      reader
        .from("history_gaps")
        .selectAll()
        .where(sql<boolean>`(subject_id, since) > (${place.subject_id}, ${sql.lit(place.since)})`)
        .orderBy("subject_id")
        .orderBy("since")
        .limit(EXPORT_PAGE),
    );
    for (const { subject_id, since, until } of rows)
      yield {
        ...{ ecosystemId: eco, subjectId: subject_id, from: formatTime(since) },
        ...(until !== null && { until: formatTime(until) }),
      };
    const last = rows.at(-1);
    if (last === undefined || rows.length < EXPORT_PAGE) return;
    place = last;
  }
}
