/** The items of zones in the store: read, judged and replaced. What has gone with its hub is no item, though its row waits to be swept. */
import { NamedError, nextTurn } from "@porchlight/shared/kernel";
import { sql } from "kysely";
import { type Caller, emptyZone, type References, type Resolved, zoneItemInvalid } from "../access/index.ts";
import { type Sql, statement, type Transaction } from "../store/index.ts";

/** Items of one zone. */
const MOST_ITEMS = 1_000;
/** Zones within zones, in one environment: so many are judged in a few milliseconds. */
const MOST_NESTINGS = 10_000;
/** References resolved before others get their turn. */
const A_TURN = 100;

type Zone = { eco: string; zone: string };

/** Rows of zones' items that stand for something living. */
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

/** One statement, so that the version and what it counts are of one moment. */
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

/** What stands in a zone, in the order that was given, and how many rows of it stand for nothing any more. */
export interface ZoneItems {
  readonly items: readonly ZoneItem[];
  /** What a PUT can change has changed as often beyond the version of the zone's row. */
  readonly gone: number;
  /** Of the zone's row, when this was read. */
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

/** Items of several zones of an ecosystem, by zone. @param most zones whose items come to more than that are left out, all but the first */
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
 * What the entries of `items` name, each once.
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
 * Puts other items into a zone, in a job of its ecosystem.
 * @throws "Zone Item Not Found" when one has gone meanwhile, "Zone Item Invalid", "Quota Exceeded"
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

// Whether a zone may contain other zones: none contains itself, however deep, and there are at most so many levels. Pure.

/** Zones within zones, the outermost counted as one. */
export const MOST_LEVELS = 16;

/** One zone directly within another. */
export interface Nesting {
  readonly zone_id: string;
  readonly item_id: string;
}

type NestingVerdict = "good" | "circle" | "too deep";

/**
 * @param nestings what stands in the environment, free of circles
 * @param zone whose contained zones must be those of `inner`, and no others
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
  // Whatever a walk down from the items comes to, the zone itself must not be among it.
  if (inner.includes(zone) || below.seen(zone)) return "circle";
  return new Longest(standsIn).from(zone) + deepest > MOST_LEVELS ? "too deep" : "good";
}

function append(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** The longest way from a zone along the steps given, in zones, itself counted; each zone is measured once. */
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

  /** Whether some way has come to it. */
  seen(zone: string): boolean {
    return this.#known.has(zone);
  }
}
