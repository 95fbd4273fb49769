/** Exporters of history: values of properties, change by change and in steps, gaps in the record, and the retention. */
import { formatTime, type HistoryKind } from "@porchlight/shared/api";
import { pointOf } from "@porchlight/shared/history";
import { sql } from "kysely";
import { bucketOf } from "../history/index.ts";
import type { Sql, Store, TenantReader } from "../store/index.ts";
import { EXPORT_PAGE, type Exporter, ofEach, paged, stored, timeOf } from "./exporter.ts";

type StepTable = "history_five_minutes" | "history_hours";

interface Series {
  readonly sql: Sql;
  /** The series' number in the tables of changes and steps. */
  readonly number: number;
  readonly kind: HistoryKind;
  /** The fields at the beginning of each line. */
  readonly head: object;
}

export function historyExporters({ store }: { readonly store: Store }): Exporter[] {
  return [
    {
      name: "history-settings",
      about: "For how many days each ecosystem keeps history, if it has chosen.",
      tables: ["history_settings"],
      rows: ofEach(async function* (ecosystemId) {
        const reader = store.of(ecosystemId);
        for (const row of await reader.sql.query(reader.from("history_settings").selectAll()))
          yield {
            ...{ ecosystemId, enabled: row.enabled === 1 },
            ...(row.raw_days !== null && { rawDays: row.raw_days }),
            ...(row.statistics_days !== null && { statisticsDays: row.statistics_days }),
          };
      }),
    },
    {
      name: "history-changes",
      about: "Each change of each property, as far as it is still kept.",
      tables: ["history_series", "history_points"],
      rows: changes(store),
    },
    {
      name: "history-five-minutes",
      about: "Statistics of each property in steps of five minutes. Steps in which nothing changed are left out.",
      tables: ["history_series", "history_five_minutes"],
      rows: steps(store, "history_five_minutes"),
    },
    {
      name: "history-hours",
      about: "The same in steps of an hour.",
      tables: ["history_series", "history_hours"],
      rows: steps(store, "history_hours"),
    },
    {
      name: "history-gaps",
      about:
        "Times in which nothing is known of a property (`DEVICE SERVICE:INDEX.PROPERTY`), of a device, of the devices of a hub, or of an ecosystem: `subjectId` says which.",
      tables: ["history_gaps"],
      rows: stored(store, GAPS, ({ subject_id, since, until }, ecosystemId) => ({
        ecosystemId,
        subjectId: subject_id,
        from: formatTime(since),
        ...timeOf("until", until),
      })),
    },
  ];
}

/** Each change of each property. */
function changes(store: Store) {
  return ofEach(async function* (ecosystemId) {
    for await (const { sql: reader, number, head } of seriesOf(store, ecosystemId)) {
      const points = paged(
        { at: -1, sequence: -1 },
        (place) =>
          reader.query(
            reader.build
              .selectFrom("history_points")
              .selectAll()
              .where("series", "=", number)
              .where(sql<boolean>`(at, sequence) > (${sql.lit(place.at)}, ${sql.lit(place.sequence)})`)
              .orderBy("at")
              .orderBy("sequence")
              .limit(EXPORT_PAGE),
          ),
        ({ at, sequence }) => ({ at, sequence }),
      );
      for await (const { at, value } of points) yield { ...head, at: formatTime(at), value: JSON.parse(value) };
    }
  });
}

/** Statistics of each property in steps. */
function steps(store: Store, table: StepTable) {
  return ofEach(async function* (ecosystemId) {
    for await (const { sql: reader, number, kind, head } of seriesOf(store, ecosystemId)) {
      const rows = paged(
        -1,
        (after) =>
          reader.query(
            reader.build
              .selectFrom(table)
              .selectAll()
              .where("series", "=", number)
              .where("start", ">", after)
              .orderBy("start")
              .limit(EXPORT_PAGE),
          ),
        ({ start }) => start,
      );
      for await (const row of rows) yield { ...head, ...pointOf(kind, bucketOf(row), undefined) };
    }
  });
}

/** A page of gaps, in which values are unknown. */
const GAPS = {
  first: { subject_id: "", since: -1 },
  read: (reader: TenantReader, place: { readonly subject_id: string; readonly since: number }) =>
    reader.sql.query(
      reader
        .from("history_gaps")
        .selectAll()
        .where(sql<boolean>`(subject_id, since) > (${place.subject_id}, ${sql.lit(place.since)})`)
        .orderBy("subject_id")
        .orderBy("since")
        .limit(EXPORT_PAGE),
    ),
  keyOf: ({ subject_id, since }: { readonly subject_id: string; readonly since: number }) => ({ subject_id, since }),
};

/** Series of living devices, device by device. */
async function* seriesOf(store: Store, ecosystemId: string): AsyncGenerator<Series> {
  const reader = store.of(ecosystemId);
  const rows = paged(
    "",
    (after) => seriesAfter(reader, after),
    ({ device_id }) => device_id,
  );
  for await (const { series, environment_id, device_id, service, idx, property, kind, unit } of rows)
    yield {
      sql: reader.sql,
      number: Number(series),
      // Trusted: the recorder wrote the column.
      kind: kind as HistoryKind,
      head: {
        ...{ ecosystemId, environmentId: environment_id, deviceId: device_id },
        ...{ service, index: idx, property, ...(unit !== null && { unit }) },
      },
    };
}

/** A page of series, completed with the rest of its last device. */
async function seriesAfter(reader: TenantReader, after: string) {
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
