/**
 * Scenes in the store: their items and triggers. When a hub's deletion removes a target, the row stays until it is
 * swept, and counts as deleted.
 */
import type { SceneItem, SceneTrigger } from "@porchlight/shared/api";
import type { Value } from "@porchlight/shared/model";
import { countVersion, livingObject } from "../access/index.ts";
import type { ObjectRow, Sql, Transaction } from "../store/index.ts";

/** The items and triggers of a scene, in the given order. */
export interface SceneContents {
  readonly items: readonly SceneItem[];
  readonly triggers: readonly SceneTrigger[];
}

/** An existing scene with its contents, which its version covers too. */
export type SceneSnapshot = ObjectRow & SceneContents;

interface ReadContents extends SceneContents {
  /** Rows without a living target: their number is added to the version of the scene's row, because each has changed the shown scene. */
  readonly gone: number;
}

const NOTHING: ReadContents = { items: [], triggers: [], gone: 0 };

/** @throws "Scene Not Found" */
export async function readScene(sql: Sql, eco: string, id: string): Promise<SceneSnapshot> {
  for (;;) {
    const row = await livingObject(sql, eco, "scn", id);
    const contents = await readContents(sql, eco, [id]);
    // Every change of a scene raises its version: two equal versions prove that nothing changed in between.
    const { version } = await livingObject(sql, eco, "scn", id);
    if (version === row.version) return snapshotOf(row, contents);
  }
}

/** Contents of scenes of one ecosystem, in total at most `most` items, but always those of the first scene. */
export async function readSceneContents(
  sql: Sql,
  eco: string,
  rows: readonly ObjectRow[],
  most: number,
): Promise<SceneSnapshot[]> {
  const counts = await countItems(
    sql,
    eco,
    rows.map(({ id }) => id),
  );
  const taken: ObjectRow[] = [];
  let sum = 0;
  for (const row of rows) {
    sum += counts.get(row.id) ?? 0;
    if (sum > most && taken.length > 0) break;
    taken.push(row);
  }
  const contents = await readContents(
    sql,
    eco,
    taken.map(({ id }) => id),
  );
  return taken.map((row) => snapshotOf(row, contents));
}

/** In a job: deletes the rows without a living target and counts each, so that the shown version does not change. */
export async function dropGoneContents(tx: Transaction, eco: string, id: string): Promise<void> {
  const row = await livingObject(tx, eco, "scn", id);
  const { items, triggers, gone } = (await readContents(tx, eco, [id])).get(id) ?? NOTHING;
  if (gone === 0) return;
  await replaceContents(tx, row, { items, triggers });
  await countVersion(tx, eco, id, gone);
}

/** In a job: replaces the contents of a scene. */
export async function replaceContents(
  tx: Transaction,
  { ecosystem_id: eco, id, environment_id: env }: Pick<ObjectRow, "ecosystem_id" | "id" | "environment_id">,
  {
    items,
    triggers,
  }: { readonly items?: SceneContents["items"] | undefined; readonly triggers?: SceneContents["triggers"] | undefined },
): Promise<void> {
  const scene = { ecosystem_id: eco, scene_id: id, environment_id: env ?? "" };
  if (items) {
    await tx.change(tx.build.deleteFrom("scene_items").where("ecosystem_id", "=", eco).where("scene_id", "=", id));
    const rows = items.map(({ target, service, value }, position) => ({
      ...scene,
      position,
      target_id: target,
      selector: service,
      value: JSON.stringify(value),
    }));
    if (rows.length > 0) await tx.change(tx.build.insertInto("scene_items").values(rows));
  }
  if (!triggers) return;
  await tx.change(tx.build.deleteFrom("scene_triggers").where("ecosystem_id", "=", eco).where("scene_id", "=", id));
  const rows = triggers.map((trigger, position) => ({
    ...scene,
    position,
    kind: trigger.kind,
    device_id: trigger.kind === "event" ? trigger.deviceId : null,
    trigger: JSON.stringify(trigger),
  }));
  if (rows.length > 0) await tx.change(tx.build.insertInto("scene_triggers").values(rows));
}

function snapshotOf(row: ObjectRow, contents: ReadonlyMap<string, ReadContents>): SceneSnapshot {
  const { items, triggers, gone } = contents.get(row.id) ?? NOTHING;
  return { ...row, version: row.version + gone, items, triggers };
}

async function countItems(sql: Sql, eco: string, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await sql.query(
    sql.build
      .selectFrom("scene_items")
      .select((of) => ["scene_id", of.fn.countAll<number>().as("count")])
      .where("ecosystem_id", "=", eco)
      .where("scene_id", "in", ids)
      .groupBy("scene_id"),
  );
  return new Map(rows.map(({ scene_id, count }) => [scene_id, Number(count)]));
}

async function readContents(sql: Sql, eco: string, ids: readonly string[]): Promise<ReadonlyMap<string, ReadContents>> {
  if (ids.length === 0) return new Map();
  const [itemRows, triggerRows] = await Promise.all([
    sql.query(
      sql.build
        .selectFrom("scene_items as s")
        .leftJoin("objects as o", (join) =>
          join.onRef("o.ecosystem_id", "=", "s.ecosystem_id").onRef("o.id", "=", "s.target_id"),
        )
        .leftJoin("devices as d", (join) =>
          join.onRef("d.ecosystem_id", "=", "s.ecosystem_id").onRef("d.id", "=", "s.target_id"),
        )
        .leftJoin("objects as hub", (join) =>
          join.onRef("hub.ecosystem_id", "=", "d.ecosystem_id").onRef("hub.id", "=", "d.client_id"),
        )
        .select((of) => [
          "s.scene_id",
          "s.target_id",
          "s.selector",
          "s.value",
          of.fn.coalesce("o.gone_at", "hub.gone_at").as("gone_at"),
        ])
        .where("s.ecosystem_id", "=", eco)
        .where("s.scene_id", "in", ids)
        .orderBy("s.position"),
    ),
    sql.query(
      sql.build
        .selectFrom("scene_triggers as s")
        .leftJoin("objects as o", (join) =>
          join.onRef("o.ecosystem_id", "=", "s.ecosystem_id").onRef("o.id", "=", "s.device_id"),
        )
        .leftJoin("devices as d", (join) =>
          join.onRef("d.ecosystem_id", "=", "s.ecosystem_id").onRef("d.id", "=", "s.device_id"),
        )
        .leftJoin("objects as hub", (join) =>
          join.onRef("hub.ecosystem_id", "=", "d.ecosystem_id").onRef("hub.id", "=", "d.client_id"),
        )
        .select((of) => ["s.scene_id", "s.trigger", of.fn.coalesce("o.gone_at", "hub.gone_at").as("gone_at")])
        .where("s.ecosystem_id", "=", eco)
        .where("s.scene_id", "in", ids)
        .orderBy("s.position"),
    ),
  ]);
  const contents = new Map(
    ids.map((id) => [id, { items: [] as SceneItem[], triggers: [] as SceneTrigger[], gone: 0 }]),
  );
  for (const { scene_id, target_id: target, selector: service, value, gone_at } of itemRows) {
    const of = contents.get(scene_id);
    if (!of) continue;
    // Only this module writes the column.
    if (gone_at === null) of.items.push({ target, service, value: JSON.parse(value) as Value as SceneItem["value"] });
    else of.gone += 1;
  }
  for (const { scene_id, trigger, gone_at } of triggerRows) {
    const of = contents.get(scene_id);
    if (!of) continue;
    // Only this module writes the column.
    if (gone_at === null) of.triggers.push(JSON.parse(trigger) as SceneTrigger);
    else of.gone += 1;
  }
  return contents;
}
