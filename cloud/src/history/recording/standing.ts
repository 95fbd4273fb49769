/** The values of some devices as they stand, as the changes that they were: those of which history knows nothing yet. */
import { UNKNOWN_TIME } from "@porchlight/shared/model";
import type { Sql } from "../../store/index.ts";
import { seriesKey, seriesOf } from "../rows/series-rows.ts";
import type { Fact } from "./facts.ts";

/** @param before only of values that last changed before then, wall clock, ms */
export async function standingFacts(sql: Sql, eco: string, ids: readonly string[], before: number): Promise<Fact[]> {
  const [rows, recorded] = await Promise.all([
    sql.query(
      sql.build
        .selectFrom("property_values")
        .selectAll()
        .where("ecosystem_id", "=", eco)
        .where("device_id", "in", ids)
        .where("modified_at", "<", before)
        .orderBy("modified_at"),
    ),
    seriesOf(sql, eco, ids),
  ]);
  const known = new Map(recorded.map((series) => [seriesKey(series.deviceId, series), series.state.value]));
  return rows.flatMap((row): Fact[] => {
    const { device_id: deviceId, service, idx: index, property, environment_id: environmentId, value } = row;
    if (known.get(seriesKey(deviceId, { service, index, property })) === value) return [];
    const modifiedAt = Number(row.modified_at);
    const at = modifiedAt === UNKNOWN_TIME ? before : modifiedAt - (modifiedAt % 1000);
    // No event is known of it.
    return [{ ...{ kind: "change", deviceId, environmentId, service, index, property, value, at }, sequence: 0 }];
  });
}
