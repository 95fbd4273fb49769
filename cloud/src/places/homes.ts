/** The time zone and the location of an environment: a separate table, because most environments have neither. */
import type { Environment, HomeLocation } from "@porchlight/shared/api";
import { NamedError } from "@porchlight/shared/kernel";
import { type ObjectRow, type Sql, statement, type Transaction } from "../store/index.ts";

export interface HomeFacts {
  /** IANA name. */
  readonly timeZone?: string | undefined;
  readonly location?: HomeLocation | undefined;
}

/** The changes of a PUT: undefined leaves a field unchanged, null removes it. */
export interface HomeChange {
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
export async function readHomes(
  sql: Sql,
  eco: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, HomeFacts>> {
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
export async function changeHome(
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
