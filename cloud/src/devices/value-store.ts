/**
 * Stores learned values inside a write job, with their events; caches are updated after the commit. Prepared
 * throughout: this is the hot path.
 */

import type { DescribedProperty } from "@porchlight/shared/model";
import type { ChangeCause, DevicePlace, StoredValue } from "@porchlight/shared/rest";
import { propertyChanged } from "../events/index.ts";
import { bulk, type KindSql, type Sql, statement, type Transaction } from "../store/index.ts";
import { decideValue, type LearnedValue } from "./value-decision.ts";

/** Notified of every committed value. */
export interface ValueListener {
  valueStored(place: DevicePlace, key: string, stored: StoredValue): void;
}

type Key = { eco: string; device: string; service: string; idx: string; property: string };
/** The columns of a value's row that change with it. */
export type StoredRow = { value: string; number: number; modified_at: number; observed_at: number };

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
const updateValue = statement<Key & StoredRow>("update_property_value")((db, p) =>
  db
    .updateTable("property_values")
    .set({ value: p.value, number: p.number, modified_at: p.modified_at, observed_at: p.observed_at })
    .where("ecosystem_id", "=", p.eco)
    .where("device_id", "=", p.device)
    .where("service", "=", p.service)
    .where("idx", "=", p.idx)
    .where("property", "=", p.property),
);
const upsertValue = statement<Key & StoredRow & { env: string }>("store_property_value")((db, p) =>
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

const upsertValues = bulk(upsertValue, {
  ...{ eco: "text", device: "text", service: "text", idx: "text", property: "text", env: "text" },
  ...{ value: "text", number: "bigint", modified_at: "bigint", observed_at: "bigint" },
});
const selectByEdges = bulk(
  statement<Omit<Key, "device"> & { env: string; edge: string }>("property_value_by_edge")((db, p) =>
    db
      .selectFrom("devices as d")
      .innerJoin("property_values as v", (join) =>
        join.onRef("v.ecosystem_id", "=", "d.ecosystem_id").onRef("v.device_id", "=", "d.id"),
      )
      .select(["v.value", "v.number", "v.modified_at", "v.observed_at"])
      .where("d.ecosystem_id", "=", p.eco)
      .where("d.environment_id", "=", p.env)
      .where("d.edge_id", "=", p.edge)
      .where("v.service", "=", p.service)
      .where("v.idx", "=", p.idx)
      .where("v.property", "=", p.property),
  ),
  { eco: "text", env: "text", edge: "text", service: "text", idx: "text", property: "text" },
);

/** A property by its hub's names. */
export interface NamedProperty {
  readonly eco: string;
  readonly env: string;
  readonly edge: string;
  readonly service: string;
  readonly idx: string;
  readonly property: string;
}

export interface ValueStoreDeps {
  /** Wall clock, ms. */
  readonly now: () => number;
  readonly listener: ValueListener;
}

/** Reads the stored value, and continues as {@link storeLearned}. */
export async function storeValue(
  tx: Transaction,
  deps: ValueStoreDeps,
  place: DevicePlace,
  property: DescribedProperty,
  learned: LearnedValue,
  cause: ChangeCause,
): Promise<StoredValue> {
  return storeLearned(tx, deps, place, property, await readValue(tx, place, property), learned, cause);
}

/** Applies one value if its number permits, and returns the stored value. @param before the value stored until now */
export async function storeLearned(
  tx: Transaction,
  deps: ValueStoreDeps,
  place: DevicePlace,
  property: DescribedProperty,
  before: StoredValue | undefined,
  learned: LearnedValue,
  cause: ChangeCause,
): Promise<StoredValue> {
  const { stored, isNew } = learnValue(tx, deps, place, property, before, learned, cause);
  if (isNew) await writeValue(tx, deps, place, property, stored, before);
  return stored;
}

/**
 * Decides the effect of a learned value on the previous one, and appends the event, if any.
 * @returns `isNew`: `stored` differs from `before`, and must be written
 */
export function learnValue(
  tx: Transaction,
  deps: ValueStoreDeps,
  place: DevicePlace,
  property: DescribedProperty,
  before: StoredValue | undefined,
  learned: LearnedValue,
  cause: ChangeCause,
): { readonly stored: StoredValue; readonly isNew: boolean } {
  const notifyOnly = !property.readable && !property.writable;
  const decision = decideValue(before, learned, notifyOnly, deps.now());
  const { kind, stored } = decision;
  if (kind === "changed" || kind === "reported") {
    const previous = kind === "changed" ? decision.previous : undefined;
    tx.append(propertyChanged(place, property, { stored, previous, cause }));
  }
  return { stored, isNew: kind === "changed" || kind === "observed" };
}

/**
 * Writes a value; the listener is notified after the commit.
 * @param before the stored value as the transaction has read it, if it has: changing that costs less
 */
async function writeValue(
  tx: Transaction,
  deps: ValueStoreDeps,
  place: DevicePlace,
  property: DescribedProperty,
  stored: StoredValue,
  before?: StoredValue,
): Promise<void> {
  const { value, number, modifiedAt: modified_at, observedAt: observed_at } = stored;
  const row = { ...keyOf(place, property), value, number, modified_at, observed_at };
  await (before ? tx.run(updateValue, row) : tx.run(upsertValue, { ...row, env: place.environmentId }));
  tx.afterCommit(() => deps.listener.valueStored(place, property.key, stored));
}

/** A value to be written, in its own job's transaction. */
export interface NewValue {
  readonly tx: Pick<Transaction, "afterCommit">;
  readonly place: DevicePlace;
  readonly property: DescribedProperty;
  readonly stored: StoredValue;
}

/** Writes many properties as {@link writeValue} does. */
export function writeValues(sql: KindSql, deps: ValueStoreDeps, values: readonly NewValue[]): void {
  const rows = values.map(({ place, property, stored }) => ({
    ...{ ...keyOf(place, property), env: place.environmentId, value: stored.value, number: stored.number },
    ...{ modified_at: stored.modifiedAt, observed_at: stored.observedAt },
  }));
  if (rows.length > 0) sql.later(sql.runOf(upsertValues, rows));
  for (const { tx, place, property, stored } of values)
    tx.afterCommit(() => deps.listener.valueStored(place, property.key, stored));
}

/** The stored values of many properties, in order. */
export async function readNamedValues(
  sql: Pick<KindSql, "allOf">,
  named: readonly NamedProperty[],
): Promise<readonly (StoredValue | undefined)[]> {
  const found = await sql.allOf(
    selectByEdges,
    named.map((each) => ({ ...each })),
  );
  return found.map(([row]) => row && storedValue(row));
}

/** The stored value. */
export async function readValue(
  sql: Sql,
  place: DevicePlace,
  property: DescribedProperty,
): Promise<StoredValue | undefined> {
  const [row] = await sql.all(selectValue, keyOf(place, property));
  return row && storedValue(row);
}

function keyOf(place: DevicePlace, { service, index: idx, property }: DescribedProperty): Key {
  return { eco: place.ecosystemId, device: place.deviceId, service, idx, property };
}

export function storedValue(row: StoredRow): StoredValue {
  return { value: row.value, number: row.number, modifiedAt: row.modified_at, observedAt: row.observed_at };
}
