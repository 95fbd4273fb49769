/** Pages of the objects in environments, oldest first: of a whole ecosystem, or of one environment. */

import { NamedError, nextTurn } from "@porchlight/shared/kernel";
import type { ReferenceKind } from "@porchlight/shared/rest";
import { type Caller, type References, reach } from "../access/index.ts";
import { type ObjectRow, type Store, statement } from "../store/index.ts";

type PageOf = { eco: string; place: string; after: string; limit: number };

/** Existing objects of a kind in existing environments. */
function objectsIn(name: string, kind: ReferenceKind, column: "objects.ecosystem_id" | "objects.environment_id") {
  return statement<PageOf>(name)((db, p) =>
    db
      .selectFrom("objects")
      .innerJoin("objects as place", (join) =>
        join
          .onRef("place.ecosystem_id", "=", "objects.ecosystem_id")
          .onRef("place.id", "=", "objects.environment_id")
          .on("place.gone_at", "is", null),
      )
      .selectAll("objects")
      .where("objects.ecosystem_id", "=", p.eco)
      .where(column, "=", p.place)
      .where("objects.kind", "=", kind)
      .where("objects.gone_at", "is", null)
      .where("objects.id", ">", p.after)
      .orderBy("objects.id")
      .limit(p.limit),
  );
}

const PAGES = {
  zon: {
    ofEcosystem: objectsIn("zones_of_ecosystem", "zon", "objects.ecosystem_id"),
    ofEnvironment: objectsIn("zones_of_environment", "zon", "objects.environment_id"),
  },
  scn: {
    ofEcosystem: objectsIn("scenes_of_ecosystem", "scn", "objects.ecosystem_id"),
    ofEnvironment: objectsIn("scenes_of_environment", "scn", "objects.environment_id"),
  },
} as const;

/** Up to `limit` objects after the one with that ID. */
export function pageOfObjects(
  store: Store,
  kind: keyof typeof PAGES,
  places: readonly ListedPlace[],
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly ObjectRow[]> {
  const { ofEcosystem, ofEnvironment } = PAGES[kind];
  return mergedPage(places, limit, ({ eco, place }) =>
    store.of(eco).sql.all(place === eco ? ofEcosystem : ofEnvironment, { eco, place, after, limit }),
  );
}

/**
 * Merges several lists, each in the order of IDs, into one page: an account may have several ecosystems, a user several
 * homes.
 * @param fetch up to `limit` rows of one part, in that order @param limit of the whole page
 */
export async function mergedPage<P, R extends { readonly id: string }>(
  parts: readonly P[],
  limit: number,
  fetch: (part: P) => Promise<readonly R[]>,
  order: "oldest" | "newest" = "oldest",
): Promise<readonly R[]> {
  const [only, ...others] = parts;
  if (only !== undefined && others.length === 0) return fetch(only);
  const first = order === "newest" ? 1 : -1;
  let rows: R[] = [];
  for (const part of parts) {
    const more = await fetch(part);
    if (more.length === 0) continue;
    // Cut in each round, so that only one page is in memory.
    rows = [...rows, ...more].sort((a, b) => (a.id < b.id ? first : -first)).slice(0, limit);
    await nextTurn();
  }
  return rows;
}

/** The ecosystem of a new object. @param given `ecosystemId` of the body @throws "Ecosystem Missing", and those of the reference */
export async function ecosystemToMakeIn(
  references: References,
  caller: Caller,
  given: string | null | undefined,
): Promise<string> {
  if (given) return (await references.resolve(caller, "eco", given)).ecosystemId;
  const [only, ...others] = reach(caller);
  if (only === undefined || others.length > 0) throw new NamedError("Ecosystem Missing");
  return only;
}

/** The ecosystems that a list covers. @param filter `ecosystemId` of the query @throws those of the reference */
export async function ecosystemsToList(
  references: References,
  caller: Caller,
  filter: string | undefined,
): Promise<readonly string[]> {
  if (filter === undefined) return reach(caller);
  return [(await references.resolve(caller, "eco", filter)).ecosystemId];
}

/** A whole ecosystem, with its ID in both fields, or a single environment of one. */
interface ListedPlace {
  readonly eco: string;
  readonly place: string;
}

/**
 * The places that a list of objects in environments covers: whole ecosystems, or single environments for a user or a
 * filter.
 * @param filter `environmentId` of the query
 * @throws those of the reference
 */
export async function placesToList(
  references: References,
  caller: Caller,
  filter: string | undefined,
): Promise<readonly ListedPlace[]> {
  if (filter !== undefined) {
    const { ecosystemId, id } = await references.resolve(caller, "env", filter);
    return [{ eco: ecosystemId, place: id }];
  }
  if (caller.kind === "user") return [...caller.environmentIds].map((place) => ({ eco: caller.ecosystemId, place }));
  return reach(caller).map((eco) => ({ eco, place: eco }));
}
