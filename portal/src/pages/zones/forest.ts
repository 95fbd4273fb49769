/** The tree of zones and devices. An item can be in several zones, so a path from the top, not an ID, identifies a row. Pure. */
import type { Device, Zone } from "@porchlight/shared/api";
import { type UseQueryResult, useQueries } from "@tanstack/react-query";
import { devicesQuery, zonesQuery } from "../../data/queries.ts";
import type { Asked } from "../../kit/display/query-view.tsx";
import { nameOf } from "../../kit/text/names.ts";
import { useApi } from "../../session/context.tsx";

export interface Forest {
  readonly zones: ReadonlyMap<string, Zone>;
  readonly devices: ReadonlyMap<string, Device>;
  /** Zones that directly contain the item, by the item's ID. */
  readonly parents: ReadonlyMap<string, readonly string[]>;
  /** Zones that no other zone contains. */
  readonly top: readonly string[];
  /** Devices that no zone contains. */
  readonly free: readonly string[];
}

/** One row of the tree. */
export interface ForestRow {
  /** The path from the top, as IDs. */
  readonly key: string;
  readonly id: string;
  readonly kind: "zone" | "device" | "free" | "more";
  /** Depth in the tree, from 1. */
  readonly level: number;
  /** The zone under which this row appears. */
  readonly parent: string | undefined;
  /** The number of items in it; for a `more` row the number of hidden items. */
  readonly count: number;
  readonly isOpen: boolean;
}

/** Key of the row that groups the devices without a zone. */
export const FREE = "free";
/** Number of items of one zone that are shown at first, and that each "more" adds. */
export const A_LOT = 200;
/** A tree with fewer rows than this starts expanded. */
const FEW = 60;

export function forestOf(zones: readonly Zone[], devices: readonly Device[]): Forest {
  const parents = new Map<string, string[]>();
  for (const zone of zones)
    for (const item of zone.items ?? []) {
      const list = parents.get(item);
      if (list) list.push(zone.id);
      else parents.set(item, [zone.id]);
    }
  const isFree = ({ id }: { readonly id: string }) => !parents.has(id);
  return {
    zones: new Map(zones.map((zone) => [zone.id, zone])),
    devices: new Map(devices.map((device) => [device.id, device])),
    parents,
    top: zones.filter(isFree).map(({ id }) => id),
    free: devices.filter(isFree).map(({ id }) => id),
  };
}

/** The items directly in a zone, in its order. Items that were just deleted, or that are not fetched yet, are left out. */
export function itemsOf({ zones, devices }: Forest, zoneId: string): readonly string[] {
  return (zones.get(zoneId)?.items ?? []).filter((id) => zones.has(id) || devices.has(id));
}

/** Keys of the rows that start expanded: all rows of a small tree, none of a large one. */
export function openAtFirst(forest: Forest): readonly string[] {
  let rows = forest.top.length + forest.free.length;
  const keys: string[] = forest.free.length < FEW ? [FREE] : [];
  const pending = [...forest.top];
  for (let key = pending.shift(); key !== undefined; key = pending.shift()) {
    const items = itemsOf(forest, lastOf(key));
    rows += items.length;
    if (rows > FEW) return keys.filter((each) => each === FREE);
    keys.push(key);
    for (const item of items) if (forest.zones.has(item)) pending.push(`${key}/${item}`);
  }
  return keys;
}

/** @param shown number of visible items of a row, by its key; default `A_LOT` */
export function rowsOf(
  forest: Forest,
  open: ReadonlySet<string>,
  shown: ReadonlyMap<string, number>,
): readonly ForestRow[] {
  const rows: ForestRow[] = [];
  const within = (items: readonly string[], at: string, level: number, parent: string | undefined) => {
    const most = shown.get(at) ?? A_LOT;
    for (const id of items.slice(0, most)) {
      const key = at === "" ? id : `${at}/${id}`;
      // A zone never contains itself, but two lists fetched at different times can suggest it.
      if (at.split("/").includes(id)) continue;
      const isZone = forest.zones.has(id);
      const inner = isZone ? itemsOf(forest, id) : [];
      const isOpen = isZone && open.has(key);
      rows.push({ key, id, kind: isZone ? "zone" : "device", level, parent, count: inner.length, isOpen });
      if (isOpen) within(inner, key, level + 1, id);
    }
    const rest = items.length - most;
    if (rest > 0) rows.push({ key: `${at}/more`, id: at, kind: "more", level, parent, count: rest, isOpen: false });
  };
  within(forest.top, "", 1, undefined);
  if (forest.free.length === 0) return rows;
  const isOpen = open.has(FREE);
  rows.push({ key: FREE, id: FREE, kind: "free", level: 1, parent: undefined, count: forest.free.length, isOpen });
  if (isOpen) within(forest.free, FREE, 2, undefined);
  return rows;
}

/** Search results as rows: each item once, even if it is in several zones, and zones first. @param most maximum number of rows */
export function foundRows(
  forest: Forest,
  text: string,
  most: number,
): { readonly rows: readonly ForestRow[]; readonly of: number } {
  const wanted = text.trim().toLowerCase();
  const isWanted = (each: Zone | Device) => `${nameOf(each)} ${each.id}`.toLowerCase().includes(wanted);
  const zones = [...forest.zones.values()].filter(isWanted);
  const devices = [...forest.devices.values()].filter(isWanted);
  const row = (id: string, kind: "zone" | "device"): ForestRow => {
    const parents = forest.parents.get(id) ?? [];
    const parent = parents.length === 1 ? parents[0] : undefined;
    const count = kind === "zone" ? itemsOf(forest, id).length : 0;
    return { key: `found/${id}`, id, kind, level: 1, parent, count, isOpen: false };
  };
  const all = [...zones.map(({ id }) => row(id, "zone")), ...devices.map(({ id }) => row(id, "device"))];
  return { rows: all.slice(0, most), of: all.length };
}

/** Devices in a zone and in the zones below it, each once. */
export function devicesWithin(forest: Forest, zoneId: string): ReadonlySet<string> {
  const seen = new Set<string>();
  const devices = new Set<string>();
  const pending = [zoneId];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    for (const item of itemsOf(forest, id)) {
      if (forest.devices.has(item)) devices.add(item);
      else pending.push(item);
    }
  }
  return devices;
}

/** The display name of a zone or device. */
export function nameIn({ zones, devices }: Forest, id: string): string {
  const named = zones.get(id) ?? devices.get(id);
  return named ? nameOf(named) : id;
}

function lastOf(key: string): string {
  return key.slice(key.lastIndexOf("/") + 1);
}

/** Fetches the zones and devices of an environment together, because the tree needs both. */
export function useForest(environmentId: string): Asked<Forest> {
  const api = useApi();
  return useQueries({ queries: [zonesQuery(api, environmentId), devicesQuery(api, environmentId)], combine: together });
}

function together([zones, devices]: [UseQueryResult<Zone[]>, UseQueryResult<Device[]>]): Asked<Forest> {
  const error = zones.error ?? devices.error;
  return {
    data: zones.data && devices.data && forestOf(zones.data, devices.data),
    error,
    isPending: !error && (zones.isPending || devices.isPending),
    refetch: () => Promise.all([zones.refetch(), devices.refetch()]),
  };
}
