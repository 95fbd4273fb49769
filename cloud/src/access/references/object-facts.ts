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
type Owner = "ecosystems.id" | "ecosystems.account_id";

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

type Asked = { readonly owner: string; readonly id: string };

/**
 * Facts of the kinds that have an ID but no alias, each in its own table: commands, access entries, tokens, deliveries. Each is
 * gone when its container is.
 */
export function commandFacts(db: Build, owner: Owner, p: Asked) {
  return db
    .selectFrom("commands")
    .innerJoin("ecosystems", "ecosystems.id", "commands.ecosystem_id")
    .leftJoin("objects as place", (join) =>
      join.onRef("place.ecosystem_id", "=", "commands.ecosystem_id").onRef("place.id", "=", "commands.environment_id"),
    )
    .select((of) => [
      "commands.ecosystem_id",
      "commands.id",
      of.val("cmd").as("kind"),
      "commands.environment_id",
      of.fn.coalesce("place.gone_at", "ecosystems.gone_at").as("gone_at"),
    ])
    .where(owner, "=", p.owner)
    .where("commands.id", "=", p.id);
}

export function accessEntryFacts(db: Build, owner: Owner, p: Asked) {
  return db
    .selectFrom("access_entries")
    .innerJoin("ecosystems", "ecosystems.id", "access_entries.ecosystem_id")
    .leftJoin("objects as place", (join) =>
      join
        .onRef("place.ecosystem_id", "=", "access_entries.ecosystem_id")
        .onRef("place.id", "=", "access_entries.environment_id"),
    )
    .select((of) => [
      "access_entries.ecosystem_id",
      "access_entries.id",
      of.val("acs").as("kind"),
      "access_entries.environment_id",
      of.fn.coalesce("access_entries.gone_at", "place.gone_at", "ecosystems.gone_at").as("gone_at"),
    ])
    .where(owner, "=", p.owner)
    .where("access_entries.id", "=", p.id);
}

export function tokenFacts(db: Build, owner: Owner, p: Asked) {
  return db
    .selectFrom("tokens")
    .innerJoin("ecosystems", "ecosystems.id", "tokens.ecosystem_id")
    .select((of) => [
      "ecosystems.id as ecosystem_id",
      "tokens.id",
      of.val("tok").as("kind"),
      of.lit(null).as("environment_id"),
      of.fn.coalesce("tokens.revoked_at", "ecosystems.gone_at").as("gone_at"),
    ])
    .where(owner, "=", p.owner)
    .where("tokens.id", "=", p.id);
}

export function deliveryFacts(db: Build, owner: Owner, p: Asked) {
  return db
    .selectFrom("deliveries")
    .innerJoin("ecosystems", "ecosystems.id", "deliveries.ecosystem_id")
    .innerJoin("objects as webhook", (join) =>
      join
        .onRef("webhook.ecosystem_id", "=", "deliveries.ecosystem_id")
        .onRef("webhook.id", "=", "deliveries.webhook_id"),
    )
    .leftJoin("objects as place", (join) =>
      join.onRef("place.ecosystem_id", "=", "webhook.ecosystem_id").onRef("place.id", "=", "webhook.environment_id"),
    )
    .select((of) => [
      "deliveries.ecosystem_id",
      "deliveries.id",
      of.val("dlv").as("kind"),
      "webhook.environment_id",
      of.fn.coalesce("webhook.gone_at", "place.gone_at", "ecosystems.gone_at").as("gone_at"),
    ])
    .where(owner, "=", p.owner)
    .where("deliveries.id", "=", p.id);
}
