/**
 * Every item of the living devices of an ecosystem, an environment or one device: read from the store in slices, with
 * other work in between.
 */
import { nextTurn } from "@porchlight/shared/kernel";
import { addressKey } from "@porchlight/shared/model";
import { NO_VALUE, propertyText } from "@porchlight/shared/rest";
import type { Sql } from "../store/index.ts";
import { selectDevices } from "./device-row.ts";
import { storedValue } from "./value-store.ts";

export interface CurrentDevice {
  readonly id: string;
  readonly environmentId: string;
  /** The hub it lives on; null for a virtual device. */
  readonly clientId: string | null;
  /** By `SERVICE:INDEX.PROPERTY`: the item as JSON. */
  readonly items: ReadonlyMap<string, string>;
}

export interface ItemsPlace {
  readonly ecosystemId: string;
  readonly environmentId?: string | undefined;
  readonly deviceId?: string | undefined;
}

/** Devices of one slice. */
const SLICE = 50;

/** Changes committed meanwhile may be missing. @throws "Service Unavailable" */
export async function* currentItems(sql: Sql, place: ItemsPlace): AsyncGenerator<CurrentDevice> {
  for (let after = ""; ; await nextTurn()) {
    const devices = await sliceOf(sql, place, after);
    const values = await valuesOf(sql, place.ecosystemId, [...devices.keys()]);
    for (const [id, { environmentId, clientId }] of devices)
      yield { id, environmentId, clientId, items: values(id, environmentId) };
    const last = [...devices.keys()].at(-1);
    if (last === undefined || devices.size < SLICE) return;
    after = last;
  }
}

async function sliceOf(sql: Sql, { ecosystemId, environmentId, deviceId }: ItemsPlace, after: string) {
  let select = selectDevices(sql.build)
    .where("o.ecosystem_id", "=", ecosystemId)
    .where("o.kind", "=", "dev")
    .where("o.id", ">", after)
    .orderBy("o.id")
    .limit(SLICE);
  if (environmentId !== undefined) select = select.where("o.environment_id", "=", environmentId);
  if (deviceId !== undefined) select = select.where("o.id", "=", deviceId);
  const rows = await sql.query(select);
  return new Map(rows.map((row) => [row.id, { environmentId: row.environment_id, clientId: row.client_id }]));
}

async function valuesOf(sql: Sql, ecosystemId: string, devices: readonly string[]) {
  const rows =
    devices.length === 0
      ? []
      : await sql.query(
          sql.build
            .selectFrom("property_values")
            .selectAll()
            .where("ecosystem_id", "=", ecosystemId)
            .where("device_id", "in", devices),
        );
  const byDevice = Map.groupBy(rows, (row) => row.device_id);
  return (deviceId: string, environmentId: string): Map<string, string> => {
    const items = new Map<string, string>();
    for (const row of byDevice.get(deviceId) ?? []) {
      const { service, idx: index, property } = row;
      if (row.value === NO_VALUE) continue;
      const text = propertyText(
        { ecosystemId, environmentId, deviceId },
        { service, index, property },
        storedValue(row),
      );
      items.set(addressKey({ service, index, property }), text);
    }
    return items;
  };
}
