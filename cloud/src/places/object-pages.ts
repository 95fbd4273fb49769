/** Pages of what stands in environments, oldest first: of a whole ecosystem, or of one environment. */
import type { ReferenceKind } from "@porchlight/shared/rest";
import { type ObjectRow, type Store, statement } from "../store/index.ts";
import { mergedPage } from "./merged-page.ts";
import type { ListedPlace } from "./scope.ts";

type PageOf = { eco: string; place: string; after: string; limit: number };

/** The living objects of a kind in living environments. */
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

/** Up to `limit` of them after the one with that ID. */
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
