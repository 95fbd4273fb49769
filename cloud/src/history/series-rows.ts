/** The rows of series: found by device, created with their first change, and updated with each. */
import type { HistoryKind } from "@porchlight/shared/api";
import type { SeriesState } from "@porchlight/shared/history";
import type { PropertyAddress } from "@porchlight/shared/model";
import { type Sql, statement } from "../store/index.ts";

/** A property that has a history. */
export interface Series extends PropertyAddress {
  /** The series' number in the tables of points and steps. */
  readonly series: number;
  readonly deviceId: string;
  readonly kind: HistoryKind;
  readonly unit: string | undefined;
  readonly state: SeriesState;
}

export type NewSeries = Omit<Series, "series"> & { readonly environmentId: string };

const setState = statement<{ series: number; state: string }>("history_state")((db, p) =>
  db.updateTable("history_series").set({ state: p.state }).where("series", "=", p.series),
);
/** Series of some devices, in the order of device IDs, services, indexes and properties. @param service undefined: all */
export async function seriesOf(
  sql: Sql,
  eco: string,
  deviceIds: readonly string[],
  service?: string,
): Promise<Series[]> {
  if (deviceIds.length === 0) return [];
  let query = sql.build
    .selectFrom("history_series")
    .selectAll()
    .where("ecosystem_id", "=", eco)
    .where("device_id", "in", deviceIds)
    .where("gone", "=", 0);
  if (service !== undefined) query = query.where("service", "=", service);
  const rows = await sql.query(query.orderBy("device_id").orderBy("service").orderBy("idx").orderBy("property"));
  return rows.map((row) => ({
    series: Number(row.series),
    deviceId: row.device_id,
    service: row.service,
    index: row.idx,
    property: row.property,
    // Trusted: this module wrote the columns.
    kind: row.kind as HistoryKind,
    unit: row.unit ?? undefined,
    state: JSON.parse(row.state) as SeriesState,
  }));
}

/** Stores new series. @returns their numbers, by {@link seriesKey} */
export async function addSeries(sql: Sql, eco: string, added: readonly NewSeries[]): Promise<Map<string, number>> {
  const numbers = new Map<string, number>();
  for (let at = 0; at < added.length; at += 500) {
    const rows = await sql.query(
      sql.build
        .insertInto("history_series")
        .values(
          added.slice(at, at + 500).map((each) => ({
            ...{ ecosystem_id: eco, environment_id: each.environmentId, device_id: each.deviceId },
            ...{ service: each.service, idx: each.index, property: each.property, kind: each.kind },
            ...{ unit: each.unit ?? null, state: JSON.stringify(each.state), gone: 0 },
          })),
        )
        .returning(["series", "device_id", "service", "idx", "property"]),
    );
    for (const row of rows)
      numbers.set(
        seriesKey(row.device_id, { service: row.service, index: row.idx, property: row.property }),
        Number(row.series),
      );
  }
  return numbers;
}

export function writeState(sql: Sql, series: number, state: SeriesState): Promise<number> {
  return sql.run(setState, { series, state: JSON.stringify(state) });
}

/** Retires the series of deleted devices: they are no longer readable, and a sweep deletes their rows later. */
export async function retireSeries(sql: Sql, eco: string, deviceIds: readonly string[]): Promise<void> {
  if (deviceIds.length === 0) return;
  await sql.change(
    sql.build
      .updateTable("history_series")
      .set({ gone: 1 })
      .where("ecosystem_id", "=", eco)
      .where("device_id", "in", deviceIds)
      .where("gone", "=", 0),
  );
}

export function seriesKey(deviceId: string, { service, index, property }: PropertyAddress): string {
  return `${deviceId} ${service}:${index}.${property}`;
}
