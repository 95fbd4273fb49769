/** The attributes that every object has: alias, metadata, version and deletion. Call these functions inside a write job. */
import { NamedError } from "@porchlight/shared/kernel";
import { type ReferenceKind, referenceNotFound } from "@porchlight/shared/rest";
import { type ObjectRow, one, type Sql, statement, type Transaction } from "../../store/index.ts";
import { objectByAlias, objectsInPlace } from "./object-facts.ts";
import type { References, Resolved } from "./references.ts";
import { ecosystemAliasHolder, lockAccountOf } from "./service-queries.ts";
import { emptyZone, leaveZones } from "./zone-contents.ts";

/** The changes of a PUT: undefined stays, a null alias is removed. */
export interface ObjectChange {
  readonly alias?: string | null | undefined;
  /** Returns the new text of the column, given the stored text (see `replaceMeta`). */
  readonly meta?: ((stored: string) => string) | undefined;
  /** The `if-match` of the request: whether it names this version. */
  readonly matches?: ((version: number) => boolean) | undefined;
}

const livingRow = statement<{ eco: string; id: string }>("living_object")((db, p) =>
  objectsInPlace(db)
    .selectAll("objects")
    .where("objects.ecosystem_id", "=", p.eco)
    .where("objects.id", "=", p.id)
    .where((of) =>
      of(of.fn.coalesce("objects.gone_at", "place.gone_at", "hub.gone_at", "ecosystems.gone_at"), "is", null),
    ),
);
const livingEcosystem = statement<{ eco: string }>("living_ecosystem")((db, p) =>
  db.selectFrom("ecosystems").select("id").where("id", "=", p.eco).where("gone_at", "is", null),
);
const giveUpAlias = statement<{ eco: string; id: string }>("give_up_alias")((db, p) =>
  db.updateTable("objects").set({ alias: null }).where("ecosystem_id", "=", p.eco).where("id", "=", p.id),
);
type Changed = { eco: string; id: string; alias: string | null; meta: string };
const changeObject = statement<Changed>("change_object")((db, p) =>
  db
    .updateTable("objects")
    .set((of) => ({ alias: p.alias, meta: p.meta, version: of("version", "+", 1) }))
    .where("ecosystem_id", "=", p.eco)
    .where("id", "=", p.id),
);
const raiseVersion = statement<{ eco: string; id: string; by: number }>("raise_version")((db, p) =>
  db
    .updateTable("objects")
    .set((of) => ({ version: of("version", "+", p.by) }))
    .where("ecosystem_id", "=", p.eco)
    .where("id", "=", p.id),
);
const endObject = statement<{ eco: string; id: string; at: number }>("end_object")((db, p) =>
  db
    .updateTable("objects")
    .set({ gone_at: p.at, alias: null, meta: "{}" })
    .where("ecosystem_id", "=", p.eco)
    .where("id", "=", p.id)
    .where("gone_at", "is", null),
);

type PageOf = { eco: string; kind: string; after: string; limit: number };
const livingOfKind = statement<PageOf>("living_of_kind")((db, p) =>
  db
    .selectFrom("objects")
    .selectAll()
    .where("ecosystem_id", "=", p.eco)
    .where("kind", "=", p.kind)
    .where("gone_at", "is", null)
    .where("id", ">", p.after)
    .orderBy("id")
    .limit(p.limit),
);

/** The living objects of a kind after the ID `after`, oldest first. */
export function livingObjects(
  sql: Sql,
  eco: string,
  kind: ReferenceKind,
  after: string,
  limit: number,
): Promise<ObjectRow[]> {
  return sql.all(livingOfKind, { eco, kind, after, limit });
}

/** The row of an object that is not gone, by its own deletion or an ancestor's. @throws "X Not Found" */
export async function livingObject(sql: Sql, eco: string, kind: ReferenceKind, id: string): Promise<ObjectRow> {
  const row = await one(sql.all(livingRow, { eco, id }));
  if (!row) throw referenceNotFound(kind);
  return row;
}

/**
 * Stores a new object and returns its row.
 * @throws "Alias Exists"; "Environment Not Found", "Ecosystem Not Found" when that was deleted meanwhile
 */
export async function insertObject(
  tx: Transaction,
  object: Pick<ObjectRow, "ecosystem_id" | "id" | "kind" | "environment_id" | "created_at"> &
    Partial<Pick<ObjectRow, "alias" | "meta">>,
): Promise<ObjectRow> {
  const { ecosystem_id: eco, environment_id: environment, id } = object;
  if (environment !== null && environment !== id) await livingObject(tx, eco, "env", environment);
  else if (!(await one(tx.all(livingEcosystem, { eco })))) throw referenceNotFound("eco");
  const row: ObjectRow = { alias: null, meta: "{}", version: 1, gone_at: null, ...object };
  if (row.alias !== null) await requireFreeAlias(tx, row, row.alias);
  await tx.change(tx.build.insertInto("objects").values(row));
  return row;
}

/**
 * Applies a PUT to alias and metadata. An equal value is no change: version and row stay.
 * @throws "X Not Found", "Precondition Failed", "Alias Exists", and what `change.meta` throws
 */
export async function changeLivingObject(
  tx: Transaction,
  references: References,
  { ecosystemId: eco, kind, id }: Resolved,
  change: ObjectChange,
): Promise<{ readonly row: ObjectRow; readonly changed: boolean }> {
  const row = await livingObject(tx, eco, kind, id);
  requireMatch(row, change.matches);
  const alias = change.alias === undefined ? row.alias : change.alias;
  const meta = change.meta ? change.meta(row.meta) : row.meta;
  const hasNewAlias = alias !== row.alias;
  if (!hasNewAlias && meta === row.meta) return { row, changed: false };
  if (hasNewAlias && alias !== null) await requireFreeAlias(tx, row, alias);
  await tx.run(changeObject, { eco, id, alias, meta });
  if (hasNewAlias) tx.afterCommit(() => references.forget(eco));
  return { row: { ...row, alias, meta, version: row.version + 1 }, changed: true };
}

/** Raises the version by `by`, after members that a PUT can change have changed in another table. */
export async function countVersion(tx: Transaction, eco: string, id: string, by: number): Promise<void> {
  await tx.run(raiseVersion, { eco, id, by });
}

/**
 * Leaves a tombstone: the ID stays, the alias is free, and the object leaves every zone. Returns the row as it was.
 * @throws "X Not Found", "Precondition Failed"
 */
export async function endLivingObject(
  tx: Transaction,
  references: References,
  { ecosystemId: eco, kind, id }: Resolved,
  at: number,
  matches?: ((version: number) => boolean) | undefined,
): Promise<ObjectRow> {
  const row = await livingObject(tx, eco, kind, id);
  requireMatch(row, matches);
  await tx.run(endObject, { eco, id, at });
  if (kind === "zon" || kind === "dev") await leaveZones(tx, eco, id);
  if (kind === "zon") await emptyZone(tx, eco, id);
  if (kind === "zon" || kind === "dev") await leaveScenes(tx, eco, [id]);
  if (kind === "scn") await emptyScenes(tx, eco, [id]);
  tx.afterCommit(() => references.forget(eco));
  return row;
}

function requireMatch(row: ObjectRow, matches: ((version: number) => boolean) | undefined): void {
  if (matches && !matches(row.version)) throw new NamedError("Precondition Failed");
}

async function requireFreeAlias(
  tx: Transaction,
  { ecosystem_id: eco, kind, id }: Pick<ObjectRow, "ecosystem_id" | "kind" | "id">,
  alias: string,
): Promise<void> {
  if (kind === "eco") {
    await lockAccountOf(tx, eco);
    if (await one(tx.all(ecosystemAliasHolder, { eco, alias }))) throw new NamedError("Alias Exists");
    return;
  }
  const holder = await one(tx.all(objectByAlias, { eco, alias }));
  if (!holder || holder.id === id) return;
  if (holder.gone_at === null) throw new NamedError("Alias Exists");
  // The holder is gone with its container, and not yet swept.
  await tx.run(giveUpAlias, { eco, id: holder.id });
}

/** Columns of scenes that reference an object. */
const NAMED = [
  { table: "scene_items", column: "target_id" },
  { table: "scene_triggers", column: "device_id" },
] as const;

/**
 * Removes deleted zones or devices from every scene, in the job that deletes them. A scene's version rises by one for each row,
 * because readers have already counted the rows of deleted objects.
 */
export async function leaveScenes(tx: Transaction, eco: string, ids: readonly string[]): Promise<void> {
  for (const { table, column } of NAMED) {
    for (const { scene_id: id, count } of await rowsByScene(tx, table, column, eco, ids)) {
      await tx.change(
        tx.build
          .updateTable("objects")
          .set((of) => ({ version: of("version", "+", Number(count)) }))
          .where("ecosystem_id", "=", eco)
          .where("id", "=", id),
      );
    }
    await tx.change(tx.build.deleteFrom(table).where("ecosystem_id", "=", eco).where(column, "in", ids));
  }
}

/** Removes all items and triggers of these scenes, in the job that deletes them. */
export async function emptyScenes(tx: Transaction, eco: string, ids: readonly string[]): Promise<void> {
  for (const { table } of NAMED)
    await tx.change(tx.build.deleteFrom(table).where("ecosystem_id", "=", eco).where("scene_id", "in", ids));
}

function rowsByScene(
  sql: Sql,
  table: (typeof NAMED)[number]["table"],
  column: (typeof NAMED)[number]["column"],
  eco: string,
  ids: readonly string[],
) {
  return sql.query(
    sql.build
      .selectFrom(table)
      .select((of) => ["scene_id", of.fn.countAll<number>().as("count")])
      .where("ecosystem_id", "=", eco)
      .where(column, "in", ids)
      .groupBy("scene_id"),
  );
}
