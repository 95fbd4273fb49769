/** Stores learned values inside a write job, with their events; caches are told after the commit. Prepared throughout: this is the hot path. */
import { event } from "../events/index.ts";
import { type Sql, statement, type Transaction } from "../store/index.ts";
import type { DescribedProperty } from "./described.ts";
import { type DevicePlace, propertyItem, type StoredValue } from "./property-item.ts";
import { decideValue, type LearnedValue } from "./value-decision.ts";

/** Why a value is what it is, as `property.changed` tells it. */
export type Cause =
  | { readonly kind: "device" }
  | { readonly kind: "refresh"; readonly tokenId?: string | undefined }
  | { readonly kind: "command"; readonly commandId: string; readonly tokenId?: string | undefined };

/** Told of every value that is committed. */
export interface ValueListener {
  valueStored(place: DevicePlace, key: string, stored: StoredValue): void;
}

type Key = { eco: string; device: string; service: string; idx: string; property: string };
type Row = { value: string; number: number; modified_at: number; observed_at: number };

const selectValue = statement<Key>("property_value")((db, p) =>
  db
    .selectFrom("property_values")
    .select(["value", "number", "modified_at", "observed_at"])
    .where("ecosystem_id", "=", p.eco)
    .where("device_id", "=", p.device)
    .where("service", "=", p.service)
    .where("idx", "=", p.idx)
    .where("property", "=", p.property),
);
const upsertValue = statement<Key & Row & { env: string }>("store_property_value")((db, p) =>
  db
    .insertInto("property_values")
    .values({
      ecosystem_id: p.eco,
      device_id: p.device,
      service: p.service,
      idx: p.idx,
      property: p.property,
      environment_id: p.env,
      value: p.value,
      number: p.number,
      modified_at: p.modified_at,
      observed_at: p.observed_at,
    })
    .onConflict((conflict) =>
      conflict.columns(["ecosystem_id", "device_id", "service", "idx", "property"]).doUpdateSet((of) => ({
        value: of.ref("excluded.value"),
        number: of.ref("excluded.number"),
        modified_at: of.ref("excluded.modified_at"),
        observed_at: of.ref("excluded.observed_at"),
      })),
    ),
);

export interface ValueStoreDeps {
  /** Wall clock, ms. */
  readonly now: () => number;
  readonly listener: ValueListener;
}

/** Applies one value if its number lets it, and gives what is stored then. */
export async function storeValue(
  tx: Transaction,
  deps: ValueStoreDeps,
  place: DevicePlace,
  property: DescribedProperty,
  learned: LearnedValue,
  cause: Cause,
): Promise<StoredValue> {
  const { service, index: idx } = property;
  const key = { eco: place.ecosystemId, device: place.deviceId, service, idx, property: property.property };
  const [row] = await tx.all(selectValue, key);
  const before = row && storedValue(row);
  const notifyOnly = !property.readable && !property.writable;
  const decision = decideValue(before, learned, notifyOnly, deps.now());
  const { stored } = decision;
  if (decision.kind === "nothing") return stored;
  if (decision.kind !== "told") {
    const { value, number, modifiedAt: modified_at, observedAt: observed_at } = stored;
    await tx.run(upsertValue, { ...key, env: place.environmentId, value, number, modified_at, observed_at });
    tx.afterCommit(() => deps.listener.valueStored(place, property.key, stored));
  }
  if (decision.kind !== "observed") {
    const previous = decision.kind === "changed" ? decision.previous : undefined;
    const item = propertyItem(place, property, stored);
    const change = { item, ...(previous && { previousValue: JSON.parse(previous.value) }), cause };
    tx.append(event("property.changed", place.environmentId, change));
  }
  return stored;
}

/** The value as it is stored now. */
export async function readValue(
  sql: Sql,
  place: DevicePlace,
  property: DescribedProperty,
): Promise<StoredValue | undefined> {
  const { service, index: idx } = property;
  const key = { eco: place.ecosystemId, device: place.deviceId, service, idx, property: property.property };
  const [row] = await sql.all(selectValue, key);
  return row && storedValue(row);
}

export function storedValue(row: Row): StoredValue {
  return { value: row.value, number: row.number, modifiedAt: row.modified_at, observedAt: row.observed_at };
}
