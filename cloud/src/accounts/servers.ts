/** Servers: the operator's programs, each with full access to one ecosystem and created with its first token. */
import { formatTime, type NewServer, type Server } from "@porchlight/shared/api";
import type { Clock, IdMaker } from "@porchlight/shared/kernel";
import {
  audit,
  type Caller,
  changeLivingObject,
  DEFAULT_META_PREFIX,
  EMPTY_META,
  endLivingObject,
  insertObject,
  livingObject,
  livingObjects,
  type ObjectChange,
  type Quotas,
  type References,
  readAlias,
  replaceMeta,
  showMeta,
  type Tokens,
} from "../access/index.ts";
import { ecosystemsToList, ecosystemToMakeIn, mergedPage } from "../places/index.ts";
import type { ObjectRow, Store } from "../store/index.ts";

export interface ServersDeps {
  readonly store: Store;
  readonly references: References;
  readonly tokens: Tokens;
  readonly clock: Clock;
  readonly ids: IdMaker;
  readonly quotas: Quotas;
}

export class Servers {
  readonly #deps: ServersDeps;

  constructor(deps: ServersDeps) {
    this.#deps = deps;
  }

  /** Servers after the ID `after`, oldest first. @param filter `ecosystemId` */
  async list(caller: Caller, filter: string | undefined, after: string, limit: number): Promise<readonly ObjectRow[]> {
    const ecosystems = await ecosystemsToList(this.#deps.references, caller, filter);
    return mergedPage(ecosystems, limit, (eco) =>
      livingObjects(this.#deps.store.of(eco).sql, eco, "srv", after, limit),
    );
  }

  async get(caller: Caller, reference: string): Promise<ObjectRow> {
    const { ecosystemId, id } = await this.#deps.references.resolve(caller, "srv", reference);
    return livingObject(this.#deps.store.of(ecosystemId).sql, ecosystemId, "srv", id);
  }

  /** @throws "Alias Exists", "Ecosystem Missing", "Quota Exceeded", and those of the reference */
  async create(caller: Caller, given: NewServer, prefix: string): Promise<ObjectRow> {
    const { store, references, tokens, clock, ids, quotas } = this.#deps;
    const alias = readAlias(given.alias) ?? null;
    const meta = given.meta === undefined ? EMPTY_META : replaceMeta(EMPTY_META, given.meta, prefix);
    const eco = await ecosystemToMakeIn(references, caller, given.ecosystemId);
    const made = { ecosystem_id: eco, id: ids.next("srv"), kind: "srv", environment_id: null, alias, meta };
    return store.write(eco, async (tx) => {
      await quotas.require(tx, "serversPerEcosystem", eco);
      const row = await insertObject(tx, { ...made, created_at: clock.now() });
      const { id } = await tokens.issue(tx, { kind: "srv", owner: { ecosystemId: eco }, subjectId: row.id });
      await audit(tx, caller, "server.created", row.id, { tokenId: id });
      return row;
    });
  }

  /** @throws "Alias Exists", "Precondition Failed", "Metadata Format Invalid", and those of the reference */
  async update(caller: Caller, reference: string, change: ObjectChange): Promise<ObjectRow> {
    const { store, references } = this.#deps;
    const target = await references.resolve(caller, "srv", reference);
    return store.write(target.ecosystemId, async (tx) => {
      const { row, changed } = await changeLivingObject(tx, references, target, change);
      if (changed) await audit(tx, caller, "server.updated", row.id);
      return row;
    });
  }

  /** Deletes a server and its tokens. @throws "Precondition Failed", and those of the reference */
  async delete(caller: Caller, reference: string, matches?: (version: number) => boolean): Promise<void> {
    const { store, references, tokens, clock } = this.#deps;
    const target = await references.resolve(caller, "srv", reference);
    await store.write(target.ecosystemId, async (tx) => {
      await endLivingObject(tx, references, target, clock.now(), matches);
      await tokens.revokeAll(tx, target.id);
      await audit(tx, caller, "server.deleted", target.id);
    });
  }
}

export function serverResource(row: ObjectRow, prefix = DEFAULT_META_PREFIX): Server {
  return {
    id: row.id,
    ecosystemId: row.ecosystem_id,
    ...(row.alias !== null && { alias: row.alias }),
    meta: showMeta(row.meta, prefix),
    createdAt: formatTime(row.created_at),
  };
}
