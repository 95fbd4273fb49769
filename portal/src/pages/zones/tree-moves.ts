/** Moves in the tree of zones: the writes that put an item into a zone or take it out, and the steps of the keyboard focus. Pure. */
import type { Zone } from "@porchlight/shared/api";
import type { ForestRow } from "./forest.ts";

/** The item that is moved. */
export interface Moved {
  readonly id: string;
  /** The zone that the item is removed from; undefined when it is in none, or stays in its zone. */
  readonly from: string | undefined;
}

export interface MoveTarget {
  /** Undefined: in no zone. */
  readonly zoneId: string | undefined;
  /** The item to insert it before; undefined: at the end. */
  readonly before?: string | undefined;
}

/** A change of one zone's items. It is applied to the current list, because other users may have changed it. */
export type ItemsChange = { readonly zoneId: string; readonly item: string } & (
  | { readonly kind: "put"; readonly before?: string | undefined }
  | { readonly kind: "take" }
);

/** Adds the item to the new zone before it removes it from the old one, so that a refused write leaves it in place. */
export function changesOf({ id, from }: Moved, { zoneId, before }: MoveTarget): readonly ItemsChange[] {
  const put = zoneId === undefined ? [] : [{ kind: "put", zoneId, item: id, before } as const];
  const take = from === undefined || from === zoneId ? [] : [{ kind: "take", zoneId: from, item: id } as const];
  return [...put, ...take];
}

/** The items after the change; the same list when nothing changes. */
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

/** The zones after the changes, for an optimistic update. Unchanged when a zone would contain itself, which the service rejects. */
export function foreseen(zones: readonly Zone[], changes: readonly ItemsChange[]): Zone[] {
  const byId = new Map(zones.map((zone) => [zone.id, zone]));
  if (changes.some((change) => change.kind === "put" && contains(byId, change.item, change.zoneId))) return [...zones];
  return zones.map((zone) => {
    let items: readonly string[] = zone.items ?? [];
    for (const change of changes) if (change.zoneId === zone.id) items = changed(items, change);
    return items === zone.items ? zone : { ...zone, items: [...items] };
  });
}

/** Whether a zone equals another one, or contains it at any depth. */
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

/** The part of a row below the pointer. @param height vertical position within the row, 0 to 1 */
export function edgeOf({ kind, parent }: ForestRow, height: number): Edge {
  if (kind === "free" || kind === "more") return "into";
  // The top level has no order that could change.
  if (parent === undefined) return "into";
  if (kind === "device") return height < 0.5 ? "before" : "after";
  if (height < 0.25) return "before";
  return height > 0.75 ? "after" : "into";
}

/** The target of an item that is dropped on a row; undefined when nothing changes. @param items of the zone under which the row appears */
export function targetOf(row: ForestRow, edge: Edge, moved: Moved, items: readonly string[]): MoveTarget | undefined {
  if (row.id === moved.id) return undefined;
  if (row.kind === "free") return { zoneId: undefined };
  if (edge === "into") return row.kind === "zone" ? { zoneId: row.id } : undefined;
  const next = items[items.indexOf(row.id) + 1];
  const before = edge === "before" ? row.id : next === moved.id ? items[items.indexOf(moved.id) + 1] : next;
  return { zoneId: row.parent, before };
}

interface TreeStep {
  /** The row to focus. */
  readonly focus?: string;
  /** The row to expand or collapse. */
  readonly toggle?: string;
}

/** @param key of the keyboard @returns undefined when the key has no effect */
export function stepOf(rows: readonly ForestRow[], at: string | undefined, key: string): TreeStep | undefined {
  const index = rows.findIndex((row) => row.key === at);
  const row = rows[index];
  const to = (next: number): TreeStep | undefined => {
    const found = rows[Math.min(Math.max(next, 0), rows.length - 1)];
    return found && { focus: found.key };
  };
  switch (key) {
    case "ArrowDown":
      return to(index + 1);
    case "ArrowUp":
      return to(index - 1);
    case "Home":
      return to(0);
    case "End":
      return to(rows.length - 1);
    case "ArrowRight":
      if (!row || row.count === 0 || row.kind === "more") return undefined;
      return row.isOpen ? to(index + 1) : { toggle: row.key };
    case "ArrowLeft": {
      if (!row) return undefined;
      if (row.isOpen) return { toggle: row.key };
      const outer = rows.slice(0, index).findLast(({ level }) => level < row.level);
      return outer && { focus: outer.key };
    }
    default:
      return undefined;
  }
}
