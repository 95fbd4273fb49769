/**
 * Where an object is and whether it, or what contains it, has gone: the one question behind every reference. What has a gone
 * ancestor is gone: its environment, its ecosystem, and of a physical device the hub that it lives on.
 */
import { type Sql, statement } from "../../store/index.ts";

type Build = Sql["build"];

/** Of one object: where it is, and whether it or what it is in has gone. */
export interface ObjectFacts {
  readonly ecosystem_id: string;
  readonly id: string;
  readonly kind: string;
  readonly environment_id: string | null;
  readonly gone_at: number | null;
}

/** In whose reach an object is looked for: one ecosystem, or all that an account has or had. */
export type Owner = "ecosystems.id" | "ecosystems.account_id";

/** Objects beside all that contains them. */
export function objectsInPlace(db: Build) {
  return db
    .selectFrom("objects")
    .innerJoin("ecosystems", "ecosystems.id", "objects.ecosystem_id")
    .leftJoin("objects as place", (join) =>
      join.onRef("place.ecosystem_id", "=", "objects.ecosystem_id").onRef("place.id", "=", "objects.environment_id"),
    )
    .leftJoin("devices", (join) =>
      join.onRef("devices.ecosystem_id", "=", "objects.ecosystem_id").onRef("devices.id", "=", "objects.id"),
    )
    .leftJoin("objects as hub", (join) =>
      join.onRef("hub.ecosystem_id", "=", "devices.ecosystem_id").onRef("hub.id", "=", "devices.client_id"),
    );
}

/** When the first of these went is of no interest, only that one did. */
export const ANCESTORS = ["objects.gone_at", "place.gone_at", "hub.gone_at", "ecosystems.gone_at"] as const;

/** Objects, living or gone. */
export function objectFacts(db: Build, owner: Owner, p: { readonly owner: string; readonly id: string }) {
  return objectsInPlace(db)
    .select((of) => [
      "objects.ecosystem_id",
      "objects.id",
      "objects.kind",
      "objects.environment_id",
      of.fn.coalesce(...ANCESTORS).as("gone_at"),
    ])
    .where(owner, "=", p.owner)
    .where("objects.id", "=", p.id);
}

/** An object of one ecosystem by its ID, living or gone. */
export const objectById = statement<{ owner: string; id: string }>("object_by_id")((db, p) =>
  objectFacts(db, "ecosystems.id", p),
);

/** The object of an ecosystem that has the alias; what is gone by what contains it has it no more, though its row still says so. */
export const objectByAlias = statement<{ eco: string; alias: string }>("object_by_alias")((db, p) =>
  objectsInPlace(db)
    .select((of) => [
      "objects.ecosystem_id",
      "objects.id",
      "objects.kind",
      "objects.environment_id",
      of.fn.coalesce(...ANCESTORS).as("gone_at"),
    ])
    .where("objects.ecosystem_id", "=", p.eco)
    .where("objects.alias", "=", p.alias)
    .where("objects.kind", "!=", "eco")
    .where("objects.gone_at", "is", null),
);
