/** What must be written when something is put into a zone, taken out of one, or moved from one to another. Pure. */
import type { Zone } from "@porchlight/shared/api";
import type { ForestRow } from "./forest.ts";

/** Something that is being moved. */
export interface Moved {
  readonly id: string;
  /** The zone that it is taken out of; undefined when it stands in none, or stays where it stands. */
  readonly from: string | undefined;
}

export interface MoveTarget {
  /** Undefined: in no zone. */
  readonly zoneId: string | undefined;
  /** The item that it is to stand before; at the end without one. */
  readonly before?: string | undefined;
}

/** One zone's items must be changed so. Others may have changed them meanwhile: it is done to what they are then. */
export type ItemsChange = { readonly zoneId: string; readonly item: string } & (
  | { readonly kind: "put"; readonly before?: string | undefined }
  | { readonly kind: "take" }
);

/** It is put into the new zone before it is taken out of the old one: a refusal leaves it where it was. */
export function changesOf({ id, from }: Moved, { zoneId, before }: MoveTarget): readonly ItemsChange[] {
  const put = zoneId === undefined ? [] : [{ kind: "put", zoneId, item: id, before } as const];
  const take = from === undefined || from === zoneId ? [] : [{ kind: "take", zoneId: from, item: id } as const];
  return [...put, ...take];
}

/** The items as the change leaves them; the same list when it changes nothing. */
export function changed(items: readonly string[], change: ItemsChange): readonly string[] {
  const { item } = change;
  if (change.kind === "take") return items.includes(item) ? items.filter((each) => each !== item) : items;
  const { before } = change;
  if (before === item || (before === undefined && items.includes(item))) return items;
  const others = items.filter((each) => each !== item);
  const at = before === undefined ? -1 : others.indexOf(before);
  const next = at === -1 ? [...others, item] : others.toSpliced(at, 0, item);
  return next.every((each, index) => each === items[index]) && next.length === items.length ? items : next;
}

/** Zones as they will be when all goes well; as they are, where a zone would come to contain itself: the service will refuse it. */
export function foreseen(zones: readonly Zone[], changes: readonly ItemsChange[]): Zone[] {
  const byId = new Map(zones.map((zone) => [zone.id, zone]));
  if (changes.some((change) => change.kind === "put" && contains(byId, change.item, change.zoneId))) return [...zones];
  return zones.map((zone) => {
    let items: readonly string[] = zone.items ?? [];
    for (const change of changes) if (change.zoneId === zone.id) items = changed(items, change);
    return items === zone.items ? zone : { ...zone, items: [...items] };
  });
}

/** Whether a zone is another one, or contains it, however deep. */
function contains(zones: ReadonlyMap<string, Zone>, outer: string, inner: string): boolean {
  const seen = new Set<string>();
  const pending = [outer];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (id === inner) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    pending.push(...(zones.get(id)?.items ?? []));
  }
  return false;
}

export type Edge = "before" | "into" | "after";

/** Which part of a row the pointer is on. @param height of the way down the row, 0 to 1 */
export function edgeOf({ kind, parent }: ForestRow, height: number): Edge {
  if (kind === "free" || kind === "more") return "into";
  // At the top there is no order that could be changed.
  if (parent === undefined) return "into";
  if (kind === "device") return height < 0.5 ? "before" : "after";
  if (height < 0.25) return "before";
  return height > 0.75 ? "after" : "into";
}

/**
 * Where something comes to stand that is let go on a row; undefined where nothing must be done.
 * @param items of the zone through which the row is shown
 */
export function targetOf(row: ForestRow, edge: Edge, moved: Moved, items: readonly string[]): MoveTarget | undefined {
  if (row.id === moved.id) return undefined;
  if (row.kind === "free") return { zoneId: undefined };
  if (edge === "into") return row.kind === "zone" ? { zoneId: row.id } : undefined;
  const next = items[items.indexOf(row.id) + 1];
  const before = edge === "before" ? row.id : next === moved.id ? items[items.indexOf(moved.id) + 1] : next;
  return { zoneId: row.parent, before };
}
