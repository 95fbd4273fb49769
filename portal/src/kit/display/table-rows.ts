/** Sorts and selects the rows of a table. Pure. */

export interface Sortable<R> {
  readonly name: string;
  /** The sort key; undefined sorts last in either direction. */
  readonly sortBy?: ((row: R) => string | number | undefined) | undefined;
}

interface Order {
  /** Name of the sort column. */
  readonly by: string;
  readonly isDescending: boolean;
}

export interface Sorting extends Partial<Order> {
  readonly onSort: (order: Order) => void;
}

export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** Toggles the selection of each row. */
  readonly onToggle: (ids: readonly string[]) => void;
}

const COLLATOR = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

/** The sorted rows; unchanged when the sort column does not exist or is not sortable. */
export function sorted<R>(
  rows: readonly R[],
  columns: readonly Sortable<R>[],
  order: Partial<Order> | undefined,
): readonly R[] {
  const sortBy = columns.find(({ name }) => name === order?.by)?.sortBy;
  if (!sortBy) return rows;
  const keyed = rows.map((row) => ({ row, key: sortBy(row) }));
  const direction = order?.isDescending ? -1 : 1;
  keyed.sort((one, other) => {
    if (one.key === undefined || other.key === undefined)
      return Number(one.key === undefined) - Number(other.key === undefined);
    return direction * compare(one.key, other.key);
  });
  return keyed.map(({ row }) => row);
}

function compare(one: string | number, other: string | number): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return COLLATOR.compare(String(one), String(other));
}

export function inverted(ids: ReadonlySet<string>, some: readonly string[]): ReadonlySet<string> {
  const next = new Set(ids);
  for (const id of some) if (!next.delete(id)) next.add(id);
  return next;
}
