/**
 * The items of zones in the store: read, checked and replaced. An item that was deleted with its hub does not count,
 * although its row waits to be swept.
 */
import { NamedError, nextTurn } from "@porchlight/shared/kernel";
import { sql } from "kysely";
import { type Caller, emptyZone, type References, type Resolved, zoneItemInvalid } from "../access/index.ts";
import { type Sql, statement, type Transaction } from "../store/index.ts";

/** Maximum items of one zone. */
const MOST_ITEMS = 1_000;
/** Maximum zones within zones in one environment, which are checked in a few milliseconds. */
const MOST_NESTINGS = 10_000;
/** References resolved per turn of the event loop. */
const A_TURN = 100;

type Zone = { eco: string; zone: string };

/** Rows of zone items whose object exists. */
function livingItems(db: Sql["build"]) {
  return db
    .selectFrom("zone_items as i")
    .innerJoin("objects as o", (join) =>
      join.onRef("o.ecosystem_id", "=", "i.ecosystem_id").onRef("o.id", "=", "i.item_id").on("o.gone_at", "is", null),
    )
    .leftJoin("devices as d", (join) =>
      join.onRef("d.ecosystem_id", "=", "i.ecosystem_id").onRef("d.id", "=", "i.item_id"),
    )
    .leftJoin("objects as hub", (join) =>
      join.onRef("hub.ecosystem_id", "=", "d.ecosystem_id").onRef("hub.id", "=", "d.client_id"),
    )
    .select(["i.zone_id", "i.item_id", "i.kind"])
    .where("hub.gone_at", "is", null);
}

/** A single statement, so that the version and the counted rows are consistent. */
const itemsOfZone = statement<Zone>("items_of_zone")((db, p) =>
  db
    .selectFrom("objects as z")
    .leftJoin("zone_items as i", (join) =>
      join.onRef("i.ecosystem_id", "=", "z.ecosystem_id").onRef("i.zone_id", "=", "z.id"),
    )
    .leftJoin("objects as o", (join) =>
      join.onRef("o.ecosystem_id", "=", "i.ecosystem_id").onRef("o.id", "=", "i.item_id"),
    )
    .leftJoin("devices as d", (join) =>
      join.onRef("d.ecosystem_id", "=", "i.ecosystem_id").onRef("d.id", "=", "i.item_id"),
    )
    .leftJoin("objects as hub", (join) =>
      join.onRef("hub.ecosystem_id", "=", "d.ecosystem_id").onRef("hub.id", "=", "d.client_id"),
    )
    .select((of) => ["z.version", "i.item_id", "i.kind", of.fn.coalesce("o.gone_at", "hub.gone_at").as("gone_at")])
    .where("z.ecosystem_id", "=", p.eco)
    .where("z.id", "=", p.zone)
    .orderBy("i.position"),
);
const nestingsOf = statement<{ eco: string; env: string; limit: number }>("zone_nestings")((db, p) =>
  db
    .selectFrom("zone_items")
    .select(["zone_id", "item_id"])
    .where("ecosystem_id", "=", p.eco)
    .where("environment_id", "=", p.env)
    .where(sql.ref("kind"), "=", sql.lit("zon"))
    .limit(p.limit),
);

export interface ZoneItem {
  readonly item_id: string;
  readonly kind: string;
}

/** The items of a zone in the given order, and the number of its rows whose object is deleted. */
export interface ZoneItems {
  readonly items: readonly ZoneItem[];
  /** Rows whose object is deleted: each adds one to the version of the zone's row, because it has changed the shown zone. */
  readonly gone: number;
  /** Version of the zone's row at the time of reading. */
  readonly version: number;
}

export async function readItems(reader: Sql, eco: string, zone: string): Promise<ZoneItems> {
  const items: ZoneItem[] = [];
  let gone = 0;
  let version = 0;
  for (const row of await reader.all(itemsOfZone, { eco, zone })) {
    version = row.version;
    if (row.item_id === null || row.kind === null) continue;
    if (row.gone_at === null) items.push({ item_id: row.item_id, kind: row.kind });
    else gone += 1;
  }
  return { items, gone, version };
}

/**
 * Items of several zones of an ecosystem, by zone. @param most maximum items in total: zones beyond it are omitted,
 * except for the first zone
 */
export async function readItemsOf(
  reader: Sql,
  eco: string,
  zones: readonly string[],
  most: number,
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (zones.length === 0) return new Map();
  const counts = new Map(
    (
      await reader.query(
        reader.build
          .selectFrom("zone_items")
          .select((of) => ["zone_id", of.fn.countAll<number>().as("count")])
          .where("ecosystem_id", "=", eco)
          .where("zone_id", "in", zones)
          .groupBy("zone_id"),
      )
    ).map(({ zone_id, count }) => [zone_id, Number(count)]),
  );
  const read = new Map<string, string[]>();
  let sum = 0;
  for (const zone of zones) {
    sum += counts.get(zone) ?? 0;
    if (sum > most && read.size > 0) break;
    read.set(zone, []);
  }
  const rows = await reader.query(
    livingItems(reader.build)
      .where("i.ecosystem_id", "=", eco)
      .where("i.zone_id", "in", [...read.keys()])
      .orderBy("i.position"),
  );
  for (const { zone_id, item_id } of rows) read.get(zone_id)?.push(item_id);
  return read;
}

/**
 * Resolves the entries of `items`, each once.
 * @throws "Zone Item Invalid", "Zone Item Not Found", "Access Denied"
 */
export async function resolveItems(
  references: References,
  caller: Caller,
  environmentId: string,
  given: readonly unknown[],
): Promise<readonly ZoneItem[]> {
  if (given.length > MOST_ITEMS) throw zoneItemInvalid(`A zone has at most ${MOST_ITEMS.toLocaleString("en")} items.`);
  const items = new Map<string, ZoneItem>();
  for (const [at, text] of given.entries()) {
    if (typeof text !== "string") throw zoneItemInvalid(`Item ${at} is not a string.`);
    if (at % A_TURN === A_TURN - 1) await nextTurn();
    const { id, kind, environmentId: place }: Resolved = await references.resolveZoneItem(caller, text);
    if (place !== environmentId) throw zoneItemInvalid(`Item ${at} is in another environment than the zone.`);
    items.set(id, { item_id: id, kind });
  }
  return [...items.values()];
}

/**
 * Replaces the items of a zone, in a job of its ecosystem.
 * @throws "Zone Item Not Found" when one was deleted meanwhile, "Zone Item Invalid", "Quota Exceeded"
 */
export async function replaceItems(
  tx: Transaction,
  zone: { readonly eco: string; readonly env: string; readonly id: string },
  items: readonly ZoneItem[],
): Promise<void> {
  const { eco, env, id } = zone;
  const zones = items.filter(({ kind }) => kind === "zon").map(({ item_id }) => item_id);
  if (zones.length > 0) await requireNesting(tx, zone, zones);
  await emptyZone(tx, eco, id);
  if (items.length === 0) return;
  const rows = items.map(({ item_id, kind }, position) => ({
    ecosystem_id: eco,
    zone_id: id,
    item_id,
    kind,
    environment_id: env,
    position,
  }));
  await tx.change(tx.build.insertInto("zone_items").values(rows));
  const { gone } = await readItems(tx, eco, id);
  if (gone > 0) throw new NamedError("Zone Item Not Found", "A zone or device among the items was just deleted.");
}

async function requireNesting(
  tx: Transaction,
  { eco, env, id }: { readonly eco: string; readonly env: string; readonly id: string },
  zones: readonly string[],
): Promise<void> {
  const nestings = await tx.all(nestingsOf, { eco, env, limit: MOST_NESTINGS + 1 });
  const others = nestings.filter(({ zone_id }) => zone_id !== id).length;
  if (others + zones.length > MOST_NESTINGS)
    throw new NamedError(
      "Quota Exceeded",
      `An environment has at most ${MOST_NESTINGS.toLocaleString("en")} zones inside other zones.`,
    );
  switch (judgeNesting(nestings, id, zones)) {
    case "good":
      return;
    case "circle":
      throw zoneItemInvalid("The zone would contain itself.");
    case "too deep":
      throw zoneItemInvalid(`Zones would be nested more than ${MOST_LEVELS} levels deep.`);
  }
}

/** Maximum depth of zones within zones, including the outermost. */
export const MOST_LEVELS = 16;

/** A zone that another zone directly contains. */
export interface Nesting {
  readonly zone_id: string;
  readonly item_id: string;
}

type NestingVerdict = "good" | "circle" | "too deep";

/**
 * Decides whether a zone may contain other zones: no zone may contain itself at any depth, and the depth is limited.
 * Pure.
 * @param nestings all nestings of the environment, free of cycles
 * @param zone the zone that is to contain exactly the zones of `inner`
 */
export function judgeNesting(nestings: readonly Nesting[], zone: string, inner: readonly string[]): NestingVerdict {
  const contains = new Map<string, string[]>();
  const standsIn = new Map<string, string[]>();
  for (const { zone_id, item_id } of nestings) {
    if (zone_id === zone) continue;
    append(contains, zone_id, item_id);
    append(standsIn, item_id, zone_id);
  }
  const below = new Longest(contains);
  const deepest = Math.max(0, ...inner.map((each) => below.from(each)));
  // The zone itself must not be reachable from its items.
  if (inner.includes(zone) || below.seen(zone)) return "circle";
  return new Longest(standsIn).from(zone) + deepest > MOST_LEVELS ? "too deep" : "good";
}

function append(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** Measures the longest path of zones from a zone, including the zone itself; each zone is measured once. */
class Longest {
  readonly #steps: ReadonlyMap<string, readonly string[]>;
  readonly #known = new Map<string, number>();

  constructor(steps: ReadonlyMap<string, readonly string[]>) {
    this.#steps = steps;
  }

  from(zone: string): number {
    const known = this.#known.get(zone);
    if (known !== undefined) return known;
    let longest = 0;
    for (const next of this.#steps.get(zone) ?? []) longest = Math.max(longest, this.from(next));
    this.#known.set(zone, longest + 1);
    return longest + 1;
  }

  /** Whether a path has reached the zone. */
  seen(zone: string): boolean {
    return this.#known.has(zone);
  }
}
