/** Ecosystems as their account, servers and users see them. */
import { type Ecosystem, formatTime } from "@porchlight/shared/api";
import { type Caller, insertObject, livingObject, type References, reach, showMeta } from "../access/index.ts";
import type { ObjectRow, Store, Transaction } from "../store/index.ts";

export class Ecosystems {
  readonly #store: Store;
  readonly #references: References;

  constructor(deps: { readonly store: Store; readonly references: References }) {
    this.#store = deps.store;
    this.#references = deps.references;
  }

  /** All within the caller's reach, oldest first: those after the one with that ID. */
  async list(caller: Caller, after: string, limit: number): Promise<ObjectRow[]> {
    const ids = reach(caller)
      .filter((id) => id > after)
      .slice(0, limit);
    return Promise.all(ids.map((id) => livingObject(this.#store.of(id).sql, id, "eco", id)));
  }

  async get(caller: Caller, reference: string): Promise<ObjectRow> {
    const { ecosystemId } = await this.#references.resolve(caller, "eco", reference);
    return livingObject(this.#store.of(ecosystemId).sql, ecosystemId, "eco", ecosystemId);
  }
}

export function ecosystemResource(row: ObjectRow, prefix: string): Ecosystem {
  return {
    id: row.id,
    ...(row.alias !== null && { alias: row.alias }),
    meta: showMeta(row.meta, prefix),
    createdAt: formatTime(row.created_at),
  };
}

/** Makes an ecosystem of an account, in a job of that ecosystem's own. */
export async function insertEcosystem(
  tx: Transaction,
  accountId: string,
  id: string,
  createdAt: number,
): Promise<void> {
  await tx.change(tx.build.insertInto("ecosystems").values({ id, account_id: accountId, gone_at: null }));
  await insertObject(tx, { ecosystem_id: id, id, kind: "eco", environment_id: null, created_at: createdAt });
}
