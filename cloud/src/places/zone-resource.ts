/** A zone as the API and its events show it. */
import { formatTime, type Zone } from "@porchlight/shared/api";
import { DEFAULT_META_PREFIX, showMeta } from "../access/index.ts";
import type { ObjectRow } from "../store/index.ts";

/** A living zone, and the IDs of what it directly contains, in the order that was given. Its version counts these too. */
export type ZoneSnapshot = ObjectRow & { readonly items: readonly string[] };

export function zoneResource(zone: ZoneSnapshot, prefix = DEFAULT_META_PREFIX): Zone {
  return { ...newZoneResource(zone, prefix), items: [...zone.items] };
}

/** As the answer to its creation shows it, in the specification's words (4.1): without `items`. */
export function newZoneResource(zone: ObjectRow, prefix: string): Zone {
  return {
    id: zone.id,
    ecosystemId: zone.ecosystem_id,
    environmentId: zone.environment_id ?? "",
    ...(zone.alias !== null && { alias: zone.alias }),
    meta: showMeta(zone.meta, prefix),
    createdAt: formatTime(zone.created_at),
  };
}
