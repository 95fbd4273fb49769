/**
 * Facts of the kinds that have an ID but no alias, each in its own table: commands, access entries, tokens, deliveries. Each is
 * gone when its container is.
 */
import type { Sql } from "../../store/index.ts";
import type { Owner } from "./object-facts.ts";

type Build = Sql["build"];
type Asked = { readonly owner: string; readonly id: string };

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
