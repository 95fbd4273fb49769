/** Environments: create, list, read, change and delete. */
import { type Environment, formatTime, type NewEnvironment } from "@porchlight/shared/api";
import type { Clock, IdMaker } from "@porchlight/shared/kernel";
import {
  audit,
  type Caller,
  changeLivingObject,
  countVersion,
  DEFAULT_META_PREFIX,
  EMPTY_META,
  insertObject,
  livingObject,
  livingObjects,
  type ObjectChange,
  type Quotas,
  type References,
  readAlias,
  replaceMeta,
  showMeta,
} from "../access/index.ts";
import { event } from "../events/index.ts";
import type { ObjectRow, Store, Transaction } from "../store/index.ts";
import { type DeletionDeps, endEnvironment } from "./deletion.ts";
import { changeHome, type EnvironmentSnapshot, type HomeChange, readHome, readHomes } from "./homes.ts";
import { ecosystemsToList, ecosystemToMakeIn, mergedPage } from "./object-pages.ts";

export interface EnvironmentsDeps extends DeletionDeps {
  readonly store: Store;
  readonly references: References;
  readonly clock: Clock;
  readonly ids: IdMaker;
  readonly quotas: Quotas;
}

/** The changes of a PUT: undefined leaves a field unchanged, null removes it. */
export interface EnvironmentChange extends ObjectChange, HomeChange {}

export class Environments {
  readonly #deps: EnvironmentsDeps;

  constructor(deps: EnvironmentsDeps) {
    this.#deps = deps;
  }

  /** The environments that the caller may access, oldest first, after the one with that ID. @param filter `ecosystemId` */
  async list(
    caller: Caller,
    filter: string | undefined,
    after: string,
    limit: number,
  ): Promise<readonly EnvironmentSnapshot[]> {
    const { store, references } = this.#deps;
    const ecosystems = await ecosystemsToList(references, caller, filter);
    return mergedPage(ecosystems, limit, async (eco) => {
      const { sql } = store.of(eco);
      const rows =
        caller.kind === "user"
          ? await this.#ofUser(eco, caller.environmentIds, after, limit)
          : await livingObjects(sql, eco, "env", after, limit);
      const homes = await readHomes(
        sql,
        eco,
        rows.map(({ id }) => id),
      );
      return rows.map((row) => ({ ...row, ...homes.get(row.id) }));
    });
  }

  async get(caller: Caller, reference: string): Promise<EnvironmentSnapshot> {
    const { ecosystemId, id } = await this.#deps.references.resolve(caller, "env", reference);
    const { sql } = this.#deps.store.of(ecosystemId);
    for (;;) {
      const row = await livingObject(sql, ecosystemId, "env", id);
      const home = await readHome(sql, ecosystemId, id);
      // Every change raises the version: two equal versions prove that nothing changed in between.
      const { version } = await livingObject(sql, ecosystemId, "env", id);
      if (version === row.version) return { ...row, ...home };
    }
  }

  /** @throws "Alias Exists", "Ecosystem Missing", "Quota Exceeded", and those of the reference */
  async create(caller: Caller, given: NewEnvironment, prefix: string): Promise<ObjectRow> {
    const { store, references, clock, ids, quotas } = this.#deps;
    const alias = readAlias(given.alias) ?? null;
    const meta = given.meta === undefined ? EMPTY_META : replaceMeta(EMPTY_META, given.meta, prefix);
    const ecosystemId = await ecosystemToMakeIn(references, caller, given.ecosystemId);
    const id = ids.next("env");
    return store.write(ecosystemId, async (tx) => {
      await quotas.require(tx, "environmentsPerEcosystem", ecosystemId);
      await audit(tx, caller, "environment.created", id);
      return insertEnvironment(tx, { ecosystem_id: ecosystemId, id, alias, meta, created_at: clock.now() });
    });
  }

  /** @throws "Alias Exists", "Precondition Failed", "Metadata Format Invalid", "Body Parameters Invalid", and those of the reference */
  async update(caller: Caller, reference: string, change: EnvironmentChange): Promise<EnvironmentSnapshot> {
    const { store, references } = this.#deps;
    const target = await references.resolve(caller, "env", reference);
    const { ecosystemId: eco, id } = target;
    return store.write(eco, async (tx) => {
      const { row, changed } = await changeLivingObject(tx, references, target, change);
      const { home, changed: moved } = await changeHome(tx, eco, id, change);
      if (moved && !changed) await countVersion(tx, eco, id, 1);
      const environment = { ...row, ...home, version: row.version + (moved && !changed ? 1 : 0) };
      if (!changed && !moved) return environment;
      tx.afterCommit(() => this.#deps.devices.homeChanged(id));
      await audit(tx, caller, "environment.updated", id);
      tx.append(event("environment.updated", id, environmentResource(environment)));
      return environment;
    });
  }

  /** Deletes it with all its contents, at once. @throws "Precondition Failed", and those of the reference */
  async delete(caller: Caller, reference: string, matches?: (version: number) => boolean): Promise<void> {
    const { store, references } = this.#deps;
    const target = await references.resolve(caller, "env", reference);
    await store.write(target.ecosystemId, async (tx) => {
      const home = await readHome(tx, target.ecosystemId, target.id);
      const row = await endEnvironment(tx, this.#deps, target, matches);
      await audit(tx, caller, "environment.deleted", row.id);
      tx.append(event("environment.deleted", row.id, environmentResource({ ...row, ...home })));
    });
  }

  async #ofUser(eco: string, ids: ReadonlySet<string>, after: string, limit: number): Promise<ObjectRow[]> {
    const { sql } = this.#deps.store.of(eco);
    const wanted = [...ids].filter((id) => id > after);
    if (wanted.length === 0) return [];
    return sql.query(
      this.#deps.store
        .of(eco)
        .from("objects")
        .selectAll()
        .where("id", "in", wanted)
        .where("gone_at", "is", null)
        .orderBy("id")
        .limit(limit),
    );
  }
}

/** Inserts it in a job of its ecosystem, with its event. @throws "Alias Exists" */
export async function insertEnvironment(
  tx: Transaction,
  given: Pick<ObjectRow, "ecosystem_id" | "id" | "created_at"> & Partial<Pick<ObjectRow, "alias" | "meta">>,
): Promise<ObjectRow> {
  const row = await insertObject(tx, { ...given, kind: "env", environment_id: given.id });
  tx.append(event("environment.created", row.id, environmentResource(row)));
  return row;
}

export function environmentResource(row: EnvironmentSnapshot, prefix = DEFAULT_META_PREFIX): Environment {
  return {
    id: row.id,
    ecosystemId: row.ecosystem_id,
    ...(row.alias !== null && { alias: row.alias }),
    meta: showMeta(row.meta, prefix),
    ...(row.timeZone !== undefined && { timeZone: row.timeZone }),
    ...(row.location && { location: row.location }),
    createdAt: formatTime(row.created_at),
  };
}
