/** The questions about sealing that cross tenants: which keys there are, and what each column has sealed. */
import { type SealingKeyRow, type Store, statement } from "../../store/index.ts";
import type { Place, SealedColumn, SealedRow } from "./sealed-columns.ts";

export const sealingKeys = statement<Record<never, never>>("sealing_keys")((db) =>
  db.selectFrom("sealing_keys").selectAll(),
);

/** A part of a sealed column, whosever it is. */
export function sealedSlice(store: Store, column: SealedColumn, place: Place, limit: number): Promise<SealedRow[]> {
  const [first, second] = place;
  return store.service.all(column.slice, { first, second, limit });
}

/** The keys that have sealed something in this database. */
export function knownSealingKeys(store: Store): Promise<SealingKeyRow[]> {
  return store.service.all(sealingKeys, {});
}
