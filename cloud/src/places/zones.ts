/** Zones with their items: create, list, read, change and delete. */
import { formatTime, type NewZone, type Zone } from "@porchlight/shared/api";
import { type Clock, type IdMaker, nextTurn } from "@porchlight/shared/kernel";
import {
  audit,
  type Caller,
  changeLivingObject,
  countVersion,
  DEFAULT_META_PREFIX,
  EMPTY_META,
  endLivingObject,
  insertObject,
  livingObject,
  type ObjectChange,
  type Quotas,
  type References,
  readAlias,
  replaceMeta,
  showMeta,
} from "../access/index.ts";
import { event } from "../events/index.ts";
import type { ObjectRow, Sql, Store, Transaction } from "../store/index.ts";
import type { DeviceKeeper } from "./deletion.ts";
import { pageOfObjects, placesToList } from "./object-pages.ts";
import { readItems, readItemsOf, replaceItems, resolveItems, type ZoneItem } from "./zone-items.ts";

export interface ZonesDeps {
  readonly store: Store;
  readonly references: References;
  readonly clock: Clock;
  readonly ids: IdMaker;
  readonly quotas: Quotas;
  /** Notified when scenes for a zone may set other devices. */
  readonly devices: Pick<DeviceKeeper, "homeChanged">;
}

/** The changes of a PUT; undefined leaves a field unchanged. */
export interface ZoneChange extends ObjectChange {
  /** As in the request. */
  readonly items?: readonly unknown[] | undefined;
}

/** Bounds of a list: at most `limit` zones, after the one with that ID. */
export interface ZonesPart {
  readonly after: string;
  readonly limit: number;
}

/** Items of zones read per turn of the event loop. */
const ITEMS_AT_ONCE = 5_000;

export class Zones {
  readonly #deps: ZonesDeps;

  constructor(deps: ZonesDeps) {
    this.#deps = deps;
  }

  /** The zones that the caller may access, oldest first. @param filter `environmentId` */
  async list(caller: Caller, filter: string | undefined, part: ZonesPart): Promise<ZoneSnapshot[]> {
    const places = await placesToList(this.#deps.references, caller, filter);
    const rows = await pageOfObjects(this.#deps.store, "zon", places, part);
    const items = new Map<string, readonly string[]>();
    for (const [eco, some] of Map.groupBy(rows, (row) => row.ecosystem_id))
      for await (const [zone, each] of itemsOf(this.#deps.store.of(eco).sql, eco, some)) items.set(zone, each);
    return rows.map((row) => ({ ...row, items: items.get(row.id) ?? [] }));
  }

  async get(caller: Caller, reference: string): Promise<ZoneSnapshot> {
    const { ecosystemId, id } = await this.#deps.references.resolve(caller, "zon", reference);
    return readZone(this.#deps.store.of(ecosystemId).sql, ecosystemId, id);
  }

  /** @throws "Alias Exists", "Zone Item Invalid", "Zone Item Not Found", and those of the reference */
  async create(caller: Caller, given: NewZone, prefix: string): Promise<ZoneSnapshot> {
    const { store, references, clock, ids, quotas } = this.#deps;
    const alias = readAlias(given.alias) ?? null;
    const meta = given.meta === undefined ? EMPTY_META : replaceMeta(EMPTY_META, given.meta, prefix);
    const { ecosystemId: eco, id: env } = await references.resolve(caller, "env", given.environmentId);
    const items = await resolveItems(references, caller, env, given.items ?? []);
    const id = ids.next("zon");
    return store.write(eco, async (tx) => {
      const made = { ecosystem_id: eco, id, kind: "zon", environment_id: env, alias, meta, created_at: clock.now() };
      await quotas.require(tx, "zonesPerEnvironment", env);
      await insertObject(tx, made);
      if (items.length > 0) await replaceItems(tx, { eco, env, id }, items);
      const zone = await readZone(tx, eco, id);
      tx.append(event("zone.created", env, zoneResource(zone)));
      await audit(tx, caller, "zone.created", id);
      return zone;
    });
  }

  /** @throws "Alias Exists", "Precondition Failed", "Metadata Format Invalid", "Zone Item Invalid", "Zone Item Not Found", and those of the reference */
  async update(caller: Caller, reference: string, change: ZoneChange): Promise<ZoneSnapshot> {
    const { store, references } = this.#deps;
    const target = await references.resolve(caller, "zon", reference);
    const { ecosystemId: eco, id } = target;
    const env = target.environmentId ?? "";
    const items = change.items && (await resolveItems(references, caller, env, change.items));
    return store.write(eco, async (tx) => {
      const standing = await settle(tx, eco, id);
      const { changed } = await changeLivingObject(tx, references, target, change);
      const moved = items !== undefined && !sameItems(items, standing);
      if (moved) {
        await replaceItems(tx, { eco, env, id }, items);
        if (!changed) await countVersion(tx, eco, id, 1);
        tx.afterCommit(() => references.forget(eco));
        tx.afterCommit(() => this.#deps.devices.homeChanged(env));
      }
      const zone = await readZone(tx, eco, id);
      if (changed || moved) {
        tx.append(event("zone.updated", env, zoneResource(zone)));
        await audit(tx, caller, "zone.updated", id);
      }
      return zone;
    });
  }

  /** Deletes only the zone: its items stay. @throws "Precondition Failed" */
  async delete(caller: Caller, reference: string, matches?: (version: number) => boolean): Promise<void> {
    const { store, references, clock } = this.#deps;
    const target = await references.resolve(caller, "zon", reference);
    const { ecosystemId: eco, id } = target;
    await store.write(eco, async (tx) => {
      await settle(tx, eco, id);
      const zone = await readZone(tx, eco, id);
      await endLivingObject(tx, references, target, clock.now(), matches);
      tx.append(event("zone.deleted", zone.environment_id ?? undefined, zoneResource(zone)));
      tx.afterCommit(() => this.#deps.devices.homeChanged(target.environmentId ?? ""));
      await audit(tx, caller, "zone.deleted", id);
    });
  }
}

/** Reads the items of each zone, with other work in between. */
async function* itemsOf(
  sql: Sql,
  eco: string,
  rows: readonly ObjectRow[],
): AsyncGenerator<[string, readonly string[]]> {
  for (let left = rows.map(({ id }) => id); left.length > 0; ) {
    const read = await readItemsOf(sql, eco, left, ITEMS_AT_ONCE);
    yield* read;
    left = left.slice(read.size);
    if (left.length > 0) await nextTurn();
  }
}

/** @throws "Zone Not Found" */
async function readZone(sql: Sql, eco: string, id: string): Promise<ZoneSnapshot> {
  for (;;) {
    const row = await livingObject(sql, eco, "zon", id);
    const { items, gone, version } = await readItems(sql, eco, id);
    // Every change of a zone raises its version: two equal versions prove that nothing changed in between.
    if (version === row.version) return { ...row, version: version + gone, items: items.map(({ item_id }) => item_id) };
  }
}

/** Deletes the rows of deleted objects and counts each, so that the shown version does not change. Returns the zone's items. */
async function settle(tx: Transaction, eco: string, id: string): Promise<readonly ZoneItem[]> {
  const { items, gone } = await readItems(tx, eco, id);
  if (gone === 0) return items;
  const living = items.map(({ item_id }) => item_id);
  let dead = tx.build.deleteFrom("zone_items").where("ecosystem_id", "=", eco).where("zone_id", "=", id);
  if (living.length > 0) dead = dead.where("item_id", "not in", living);
  await tx.change(dead);
  await countVersion(tx, eco, id, gone);
  return items;
}

function sameItems(some: readonly ZoneItem[], others: readonly ZoneItem[]): boolean {
  return some.length === others.length && some.every(({ item_id }, at) => item_id === others[at]?.item_id);
}

/** An existing zone, and the IDs of its direct items, in the given order. Its version covers these too. */
type ZoneSnapshot = ObjectRow & { readonly items: readonly string[] };

export function zoneResource(zone: ZoneSnapshot, prefix = DEFAULT_META_PREFIX): Zone {
  return { ...newZoneResource(zone, prefix), items: [...zone.items] };
}

/** The zone in the answer to its creation, which the specification (4.1) defines without `items`. */
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
