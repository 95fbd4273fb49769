/**
 * Where an object is, and whether it or an ancestor is deleted: the query behind every reference. An object whose ancestor is
 * deleted is gone too: the environment, the ecosystem and, for a physical device, the hub that it lives on.
 */
import { type Sql, statement } from "../../store/index.ts";

type Build = Sql["build"];

/** Facts of one object: its place, and whether it or its container is gone. */
export interface ObjectFacts {
  readonly ecosystem_id: string;
  readonly id: string;
  readonly kind: string;
  readonly environment_id: string | null;
  readonly gone_at: number | null;
}

/** The scope of a look-up: one ecosystem, or all ecosystems, living or deleted, of an account. */
export type Owner = "ecosystems.id" | "ecosystems.account_id";

/** Objects joined with all their ancestors. */
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

/** The deletion times of an object and its ancestors: callers need to know only whether one of them is set. */
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

/** The object of an ecosystem that has the alias. An object that is gone with an ancestor no longer has it, though its row still does. */
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
