/** The questions of this room that cross tenants: whose is this token, and what does an account own. */
import { type SealingKeyRow, type Sql, type Store, statement } from "../store/index.ts";

/** A token as far as it must be known to judge it. */
export const tokenByHash = statement<{ hash: string }>("token_by_hash")((db, p) =>
  db
    .selectFrom("tokens")
    .select(["id", "kind", "account_id", "ecosystem_id", "subject_id", "expires_at", "revoked_at"])
    .where("hash", "=", p.hash),
);

const livingEcosystemsOf = statement<{ account: string }>("living_ecosystems_of")((db, p) =>
  db
    .selectFrom("ecosystems")
    .select("id")
    .where("account_id", "=", p.account)
    .where("gone_at", "is", null)
    .orderBy("id"),
);

/** Of one object: where it is, and whether it or what it is in has gone. */
export interface ObjectFacts {
  readonly ecosystem_id: string;
  readonly id: string;
  readonly kind: string;
  readonly environment_id: string | null;
  readonly gone_at: number | null;
}

/** An object of any of the account's ecosystems, living or gone. */
export const objectOfAccount = statement<{ account: string; id: string }>("object_of_account")((db, p) =>
  db
    .selectFrom("ecosystems")
    .innerJoin("objects", "objects.ecosystem_id", "ecosystems.id")
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
    .where("ecosystems.account_id", "=", p.account)
    .where("objects.id", "=", p.id),
);

/** An ecosystem of an account by its own alias. */
export const ecosystemByAlias = statement<{ account: string; alias: string }>("ecosystem_by_alias")((db, p) =>
  db
    .selectFrom("ecosystems")
    .innerJoin("objects", (join) =>
      join.onRef("objects.ecosystem_id", "=", "ecosystems.id").onRef("objects.id", "=", "ecosystems.id"),
    )
    .select([
      "objects.ecosystem_id",
      "objects.id",
      "objects.kind",
      "objects.environment_id",
      "ecosystems.gone_at as gone_at",
    ])
    .where("ecosystems.account_id", "=", p.account)
    .where("ecosystems.gone_at", "is", null)
    .where("objects.alias", "=", p.alias),
);

/** IDs of an account's living ecosystems, oldest first. */
export async function livingEcosystems(sql: Sql, account: string): Promise<string[]> {
  return (await sql.all(livingEcosystemsOf, { account })).map((row) => row.id);
}

const sealingKeys = statement<Record<never, never>>("sealing_keys")((db) => db.selectFrom("sealing_keys").selectAll());

/** The keys that have sealed something in this database. */
export function knownSealingKeys(store: Store): Promise<SealingKeyRow[]> {
  return store.service.all(sealingKeys, {});
}
