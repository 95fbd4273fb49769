/**
 * Reseals, under the present sealing key, the texts that other keys have sealed.
 *
 * Invariants: a text is replaced by the same text only, and only if its row is unchanged, so that a pass can stop anywhere and
 * several nodes can run one at once; before and after, the text opens under the keys of the file.
 */
import { nextTurn } from "@porchlight/shared/kernel";
import type { Store, Transaction } from "../store/index.ts";
import { type Keyring, keyIdOf } from "./keyring.ts";
import { type Place, type SealedColumn, type SealedRow, sealedSlice } from "./sealing-service-queries.ts";

/** Rows read at once; resealing so many takes a few milliseconds. */
const SLICE = 200;

export interface SealAnewDeps {
  readonly store: Store;
  readonly keyring: Keyring;
  readonly columns: readonly SealedColumn[];
}

export interface SealedAnew {
  readonly replaced: number;
  /** Texts that none of the keys opens. */
  readonly lost: number;
}

/**
 * One pass over all sealed texts.
 * @param goesOn whether another slice may begin
 * @throws "Service Unavailable"; a later pass does the rest
 */
export async function sealAnew(deps: SealAnewDeps, goesOn: () => boolean): Promise<SealedAnew> {
  let [replaced, lost] = [0, 0];
  for (const column of deps.columns) {
    for await (const rows of slices(deps.store, column)) {
      if (!goesOn()) return { replaced, lost };
      const fresh = rows.flatMap((row) => freshOf(deps.keyring, column, row));
      lost += fresh.filter(({ text }) => text === undefined).length;
      replaced += await replace(deps.store, column, fresh);
    }
  }
  return { replaced, lost };
}

/** Counts the texts that each key has sealed, by its ID. @throws "Service Unavailable" */
export async function countSealed({ store, columns }: Omit<SealAnewDeps, "keyring">): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const column of columns) {
    for await (const rows of slices(store, column)) {
      for (const { sealed } of rows) {
        const id = sealed === null ? undefined : keyIdOf(sealed);
        if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
      }
    }
  }
  return counts;
}

async function* slices(store: Store, column: SealedColumn): AsyncGenerator<readonly SealedRow[]> {
  for (let place: Place = ["", ""]; ; ) {
    const rows = await sealedSlice(store, column, place, SLICE);
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    place = [last.first, last.second];
    // Lets requests run first.
    await nextTurn();
  }
}

interface Fresh {
  readonly first: string;
  readonly second: string;
  readonly sealed: string;
  /** The resealed text; undefined when no key opens it. */
  readonly text: string | undefined;
}

function freshOf(keyring: Keyring, column: SealedColumn, { first, second, sealed }: SealedRow): Fresh[] {
  const id = sealed === null ? undefined : keyIdOf(sealed);
  if (sealed === null || id === undefined || id === keyring.sealingId) return [];
  const purpose = column.purpose(first, second);
  const text = keyring.open(purpose, sealed);
  return [{ first, second, sealed, text: text === undefined ? undefined : keyring.seal(purpose, text) }];
}

/** Replaces each ecosystem's rows in that ecosystem's write queue. */
async function replace(store: Store, column: SealedColumn, fresh: readonly Fresh[]): Promise<number> {
  let replaced = 0;
  for (const [ecosystem, rows] of Map.groupBy(fresh, ({ first }) => (column.isTenants ? first : ""))) {
    const job = async (tx: Transaction) => {
      let count = 0;
      for (const { text, first, second, sealed } of rows)
        if (text !== undefined) count += await tx.run(column.replace, { first, second, sealed, fresh: text });
      return count;
    };
    replaced += column.isTenants ? await store.write(ecosystem, job) : await store.writeService(job);
  }
  return replaced;
}
