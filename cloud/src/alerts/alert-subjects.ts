/** Reads the present state of hubs, batteries and webhooks of one ecosystem, by their IDs; deleted ones are left out. */
import { nameOf } from "@porchlight/shared/names";
import { DEFAULT_META_PREFIX, showMeta } from "../access/index.ts";
import type { Sql } from "../store/index.ts";
import type { BatteryState, HubState, WebhookState } from "./conditions.ts";

export async function readHubs(sql: Sql, eco: string, ids: readonly string[]): Promise<HubState[]> {
  const rows = await sql.query(
    sql.build
      .selectFrom("clients as c")
      .innerJoin("objects as o", (join) =>
        join.onRef("o.ecosystem_id", "=", "c.ecosystem_id").onRef("o.id", "=", "c.id"),
      )
      .innerJoin("objects as e", (join) =>
        join.onRef("e.ecosystem_id", "=", "c.ecosystem_id").onRef("e.id", "=", "c.environment_id"),
      )
      .select(["c.id", "c.environment_id", "c.online", "c.online_since", "o.alias", "o.meta"])
      .where("c.ecosystem_id", "=", eco)
      .where("c.id", "in", ids)
      .where("o.gone_at", "is", null)
      .where("e.gone_at", "is", null),
  );
  return rows.map((row) => ({
    id: row.id,
    name: shownName(row.id, row.alias, row.meta, "{}"),
    environmentId: row.environment_id,
    online: row.online === 1,
    since: row.online_since,
  }));
}

/** The battery state of each device that has batteries. */
export async function readBatteries(sql: Sql, eco: string, ids: readonly string[]): Promise<BatteryState[]> {
  const rows = await sql.query(
    sql.build
      .selectFrom("property_values as v")
      .innerJoin("devices as d", (join) =>
        join.onRef("d.ecosystem_id", "=", "v.ecosystem_id").onRef("d.id", "=", "v.device_id"),
      )
      .innerJoin("objects as o", (join) =>
        join.onRef("o.ecosystem_id", "=", "v.ecosystem_id").onRef("o.id", "=", "v.device_id"),
      )
      .innerJoin("objects as e", (join) =>
        join.onRef("e.ecosystem_id", "=", "v.ecosystem_id").onRef("e.id", "=", "v.environment_id"),
      )
      .select(["v.device_id as id", "v.environment_id", "v.property", "v.value", "v.observed_at"])
      .select(["o.alias", "o.meta", "d.about"])
      .where("v.ecosystem_id", "=", eco)
      .where("v.device_id", "in", ids)
      .where("v.service", "=", "Battery")
      .where("o.gone_at", "is", null)
      .where("e.gone_at", "is", null)
      .orderBy("v.device_id"),
  );
  return [...Map.groupBy(rows, ({ id }) => id).values()].flatMap((values) => {
    const [first] = values;
    if (!first) return [];
    const { id, alias, meta, about, environment_id: environmentId } = first;
    return [{ id, name: shownName(id, alias, meta, about), environmentId, ...batteryOf(values) }];
  });
}

/** Combines the values of one device's batteries. */
export function batteryOf(
  values: readonly { readonly property: string; readonly value: string; readonly observed_at: number }[],
): Pick<BatteryState, "percent" | "saysLow" | "observedAt"> {
  let percent: number | undefined;
  let saysLow = false;
  let observedAt = 0;
  for (const { property, value, observed_at } of values) {
    const told: unknown = JSON.parse(value);
    if (property === "percent" && typeof told === "number") percent = Math.min(percent ?? told, told);
    else if (property === "low" && typeof told === "boolean") saysLow ||= told;
    else continue;
    observedAt = Math.max(observedAt, observed_at);
  }
  return { percent, saysLow, observedAt };
}

export async function readWebhooks(sql: Sql, eco: string, ids: readonly string[]): Promise<WebhookState[]> {
  const rows = await sql.query(
    sql.build
      .selectFrom("webhooks as w")
      .innerJoin("objects as o", (join) =>
        join.onRef("o.ecosystem_id", "=", "w.ecosystem_id").onRef("o.id", "=", "w.id"),
      )
      .leftJoin("objects as e", (join) =>
        join.onRef("e.ecosystem_id", "=", "w.ecosystem_id").onRef("e.id", "=", "w.environment_id"),
      )
      .select(["w.id", "w.environment_id", "w.url", "w.description", "w.disabled", "w.failing_since"])
      .where("w.ecosystem_id", "=", eco)
      .where("w.id", "in", ids)
      .where("o.gone_at", "is", null)
      .where("e.gone_at", "is", null),
  );
  return rows.map((row) => ({
    id: row.id,
    name: row.description ?? receiverOf(row.url),
    environmentId: row.environment_id,
    disabled: row.disabled === 1,
    failingSince: row.failing_since,
  }));
}

/** Leaves out the query, which can be a secret of the receiver. */
function receiverOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

/** @param about metadata that the device reports, as JSON */
function shownName(id: string, alias: string | null, meta: string, about: string): string {
  return nameOf({ id, alias, meta: showMeta(meta, DEFAULT_META_PREFIX, JSON.parse(about)) });
}
