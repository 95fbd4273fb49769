/** Where an object of one tenant is and whether it, or what contains it, has gone: the one question behind every reference. */
import { statement } from "../store/index.ts";

/** An object of one ecosystem by its ID, living or gone: what has a gone ancestor is gone. */
export const objectById = statement<{ eco: string; id: string }>("object_by_id")((db, p) =>
  db
    .selectFrom("objects")
    .innerJoin("ecosystems", "ecosystems.id", "objects.ecosystem_id")
    .leftJoin("objects as place", (join) =>
      join.onRef("place.ecosystem_id", "=", "objects.ecosystem_id").onRef("place.id", "=", "objects.environment_id"),
    )
    .select((of) => [
      "objects.ecosystem_id",
      "objects.id",
      "objects.kind",
      "objects.environment_id",
      of.fn.coalesce("objects.gone_at", "place.gone_at", "ecosystems.gone_at").as("gone_at"),
    ])
    .where("objects.ecosystem_id", "=", p.eco)
    .where("objects.id", "=", p.id),
);

/** The living object of an ecosystem that has the alias. */
export const objectByAlias = statement<{ eco: string; alias: string }>("object_by_alias")((db, p) =>
  db
    .selectFrom("objects")
    .leftJoin("objects as place", (join) =>
      join.onRef("place.ecosystem_id", "=", "objects.ecosystem_id").onRef("place.id", "=", "objects.environment_id"),
    )
    .select((of) => [
      "objects.ecosystem_id",
      "objects.id",
      "objects.kind",
      "objects.environment_id",
      of.ref("place.gone_at").as("gone_at"),
    ])
    .where("objects.ecosystem_id", "=", p.eco)
    .where("objects.alias", "=", p.alias)
    .where("objects.kind", "!=", "eco")
    .where("objects.gone_at", "is", null),
);
