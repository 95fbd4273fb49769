/** The contents of a zone and its nested zones: for reads, writes and lists of devices by zone. */
import { type Sql, statement, type Transaction } from "../../store/index.ts";

type Zone = { eco: string; zone: string };

/**
 * A zone and every zone within it, however deep, each once. SQLite keeps the order of a cross join: it goes from a zone to its
 * items by the key, and never scans all items.
 */
function zonesWithin(db: Sql["build"], p: Zone) {
  return db.withRecursive("within(id)", (cte) =>
    cte
      .selectFrom("zone_items")
      .select("zone_id as id")
      .where("ecosystem_id", "=", p.eco)
      .where("zone_id", "=", p.zone)
      // `union` drops duplicates, so that a zone that is in several zones is walked once.
      .union(
        cte
          .selectFrom("within")
          .crossJoin("zone_items as inner")
          .select("inner.item_id as id")
          .where("inner.ecosystem_id", "=", p.eco)
          .whereRef("inner.zone_id", "=", "within.id")
          .where("inner.kind", "=", "zon"),
      ),
  );
}

/** IDs of the devices in a zone and its nested zones, each once: also usable inside another query. */
export function selectWithinZone(db: Sql["build"], p: Zone) {
  return zonesWithin(db, p)
    .selectFrom("within")
    .crossJoin("zone_items as item")
    .select("item.item_id as id")
    .distinct()
    .where("item.ecosystem_id", "=", p.eco)
    .whereRef("item.zone_id", "=", "within.id")
    .where("item.kind", "=", "dev");
}

const selectDevices = statement<Zone>("devices_within_zone")((db, p) =>
  selectWithinZone(db, p).orderBy("item.item_id"),
);

/**
 * IDs of all devices in a zone and its nested zones, each once, in the order of their IDs.
 *
 * A device that was deleted with its hub can still be included for a moment: reads of devices by these IDs skip it.
 */
export async function devicesWithinZone(sql: Sql, ecosystemId: string, zoneId: string): Promise<string[]> {
  return (await sql.all(selectDevices, { eco: ecosystemId, zone: zoneId })).map(({ id }) => id);
}

const selectItem = statement<Zone & { item: string }>("zone_item")((db, p) =>
  db
    .selectFrom("zone_items")
    .select("item_id")
    .where("ecosystem_id", "=", p.eco)
    .where("zone_id", "=", p.zone)
    .where("item_id", "=", p.item),
);

/** Whether the zone directly contains the item. */
export async function isZoneItem(sql: Sql, ecosystemId: string, zoneId: string, itemId: string): Promise<boolean> {
  return (await sql.all(selectItem, { eco: ecosystemId, zone: zoneId, item: itemId })).length > 0;
}

type Item = { eco: string; item: string };
const countInZones = statement<Item>("count_in_zones")((db, p) =>
  db
    .updateTable("objects")
    .set((of) => ({ version: of("version", "+", 1) }))
    .where("ecosystem_id", "=", p.eco)
    .where("id", "in", (of) =>
      of.selectFrom("zone_items").select("zone_id").where("ecosystem_id", "=", p.eco).where("item_id", "=", p.item),
    ),
);
const dropFromZones = statement<Item>("drop_from_zones")((db, p) =>
  db.deleteFrom("zone_items").where("ecosystem_id", "=", p.eco).where("item_id", "=", p.item),
);
const dropItems = statement<Zone>("drop_zone_items")((db, p) =>
  db.deleteFrom("zone_items").where("ecosystem_id", "=", p.eco).where("zone_id", "=", p.zone),
);

/** Removes a zone or device from every `items`, in the job that deletes it. The version of each zone that contained it rises. */
export async function leaveZones(tx: Transaction, ecosystemId: string, itemId: string): Promise<void> {
  const at = { eco: ecosystemId, item: itemId };
  await tx.run(countInZones, at);
  await tx.run(dropFromZones, at);
}

/** Removes all items of the zone, in the job that deletes it or replaces its items. */
export async function emptyZone(tx: Transaction, ecosystemId: string, zoneId: string): Promise<void> {
  await tx.run(dropItems, { eco: ecosystemId, zone: zoneId });
}
