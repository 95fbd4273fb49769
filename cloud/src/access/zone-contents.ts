/** What stands in a zone and in the zones within it: asked by whoever reads, writes or lists devices zone by zone. */
import { type Sql, statement } from "../store/index.ts";

type Zone = { eco: string; zone: string };

/** A zone and every zone within it, however deep, each once. */
export function zonesWithin(db: Sql["build"], p: Zone) {
  return db.withRecursive("within(id)", (cte) =>
    cte
      .selectFrom("zone_items")
      .select("zone_id as id")
      .where("ecosystem_id", "=", p.eco)
      .where("zone_id", "=", p.zone)
      // `union` drops what is there already, so that a zone that stands in several is walked once.
      .union(
        cte
          .selectFrom("within")
          .innerJoin("zone_items as inner", "inner.zone_id", "within.id")
          .select("inner.item_id as id")
          .where("inner.ecosystem_id", "=", p.eco)
          .where("inner.kind", "=", "zon"),
      ),
  );
}

const selectDevices = statement<Zone>("devices_within_zone")((db, p) =>
  zonesWithin(db, p)
    .selectFrom("within")
    .innerJoin("zone_items as item", "item.zone_id", "within.id")
    .select("item.item_id as id")
    .distinct()
    .where("item.ecosystem_id", "=", p.eco)
    .where("item.kind", "=", "dev")
    .orderBy("item.item_id"),
);

/**
 * IDs of all devices in a zone and its zones, each once, in the order of their IDs.
 *
 * A device that has gone with its hub may still be among them for a moment: whoever reads devices by these IDs reads living ones.
 */
export async function devicesWithinZone(sql: Sql, ecosystemId: string, zoneId: string): Promise<string[]> {
  return (await sql.all(selectDevices, { eco: ecosystemId, zone: zoneId })).map(({ id }) => id);
}
