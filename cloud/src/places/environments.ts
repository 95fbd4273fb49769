/** Environments: create, list, read, change and delete; with their time zone and location. */
import { type Environment, formatTime, type HomeLocation, type NewEnvironment } from "@porchlight/shared/api";
import { type Clock, type IdMaker, NamedError } from "@porchlight/shared/kernel";
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
import { type ObjectRow, type Sql, type Store, statement, type Transaction } from "../store/index.ts";
import { type DeletionDeps, endEnvironment } from "./deletion.ts";
import { ecosystemsToList, ecosystemToMakeIn, mergedPage } from "./object-pages.ts";

/** The time zone and the location of an environment: a separate table, because most environments have neither. */
export interface HomeFacts {
  /** IANA name. */
  readonly timeZone?: string | undefined;
  readonly location?: HomeLocation | undefined;
}

/** The changes of a PUT: undefined leaves a field unchanged, null removes it. */
interface HomeChange {
  readonly timeZone?: string | null | undefined;
  readonly location?: HomeLocation | null | undefined;
}

/** An existing environment with the facts of its home. */
export type EnvironmentSnapshot = ObjectRow & HomeFacts;

type Home = { eco: string; id: string };
const dropHome = statement<Home>("drop_home")((db, p) =>
  db.deleteFrom("homes").where("ecosystem_id", "=", p.eco).where("id", "=", p.id),
);
const insertHome = statement<Home & { zone: string | null; location: string | null }>("insert_home")((db, p) =>
  db.insertInto("homes").values({ ecosystem_id: p.eco, id: p.id, time_zone: p.zone, location: p.location }),
);
const triggerOfKind = statement<{ eco: string; env: string; kind: string }>("trigger_of_kind")((db, p) =>
  db
    .selectFrom("scene_triggers")
    .select("scene_id")
    .where("ecosystem_id", "=", p.eco)
    .where("environment_id", "=", p.env)
    .where("kind", "=", p.kind)
    .limit(1),
);

/** The facts of one environment. */
export async function readHome(sql: Sql, eco: string, id: string): Promise<HomeFacts> {
  return (await readHomes(sql, eco, [id])).get(id) ?? {};
}

/** The facts of several environments of an ecosystem, for those that have any. */
async function readHomes(sql: Sql, eco: string, ids: readonly string[]): Promise<ReadonlyMap<string, HomeFacts>> {
  if (ids.length === 0) return new Map();
  const rows = await sql.query(
    sql.build.selectFrom("homes").selectAll().where("ecosystem_id", "=", eco).where("id", "in", ids),
  );
  return new Map(rows.map((row) => [row.id, factsOf(row)]));
}

function factsOf(row: { readonly time_zone: string | null; readonly location: string | null }): HomeFacts {
  return {
    ...(row.time_zone !== null && { timeZone: row.time_zone }),
    // Only this module writes the column.
    ...(row.location !== null && { location: JSON.parse(row.location) as HomeLocation }),
  };
}

/**
 * Applies a change, in a job of the ecosystem.
 * @returns the new facts, and whether they differ from the previous ones
 * @throws "Body Parameters Invalid" when a scene needs a fact that is to be removed
 */
async function changeHome(
  tx: Transaction,
  eco: string,
  id: string,
  change: HomeChange,
): Promise<{ readonly home: HomeFacts; readonly changed: boolean }> {
  const before = await readHome(tx, eco, id);
  const timeZone = change.timeZone === undefined ? before.timeZone : (change.timeZone ?? undefined);
  const location = change.location === undefined ? before.location : (change.location ?? undefined);
  const home = { ...(timeZone !== undefined && { timeZone }), ...(location && { location }) };
  if (JSON.stringify(home) === JSON.stringify(before)) return { home, changed: false };
  if (timeZone === undefined) await requireUnused(tx, eco, id, "timeZone", ["time", "sun"]);
  if (!location) await requireUnused(tx, eco, id, "location", ["sun"]);
  await tx.run(dropHome, { eco, id });
  const text = location ? JSON.stringify({ latitude: location.latitude, longitude: location.longitude }) : null;
  if (timeZone !== undefined || text !== null)
    await tx.run(insertHome, { eco, id, zone: timeZone ?? null, location: text });
  return { home, changed: true };
}

async function requireUnused(
  tx: Transaction,
  eco: string,
  env: string,
  field: keyof Pick<Environment, "timeZone" | "location">,
  kinds: readonly string[],
): Promise<void> {
  for (const kind of kinds) {
    const [used] = await tx.all(triggerOfKind, { eco, env, kind });
    if (!used) continue;
    const message = `cannot be removed while a trigger of the scene ${used.scene_id} needs it`;
    throw new NamedError("Body Parameters Invalid", `\`${field}\` ${message}.`, {
      errors: [{ pointer: `/${field}`, message }],
    });
  }
}

interface EnvironmentsDeps extends DeletionDeps {
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
