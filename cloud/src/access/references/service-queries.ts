/** This module's queries across tenants: the owner of a token, and the objects of an account. */
import { type AccountRow, bulk, one, type Sql, statement } from "../../store/index.ts";
import {
  ANCESTORS,
  accessEntryFacts,
  commandFacts,
  deliveryFacts,
  objectFacts,
  objectsInPlace,
  tokenFacts,
} from "./object-facts.ts";

/** The columns of a token that authentication needs. */
export const tokenByHash = statement<{ hash: string }>("token_by_hash")((db, p) =>
  db
    .selectFrom("tokens")
    .select(["id", "kind", "account_id", "ecosystem_id", "subject_id", "expires_at", "revoked_at"])
    .where("hash", "=", p.hash),
);

/**
 * A token with its object: whether that is gone, its place and its owner. In bulk, because all hubs authenticate at once when
 * they reconnect.
 */
export const objectByToken = bulk(
  statement<{ hash: string }>("object_by_token")((db, p) =>
    objectsInPlace(db)
      .innerJoin("tokens", (join) =>
        join.onRef("tokens.ecosystem_id", "=", "objects.ecosystem_id").onRef("tokens.subject_id", "=", "objects.id"),
      )
      .select(["tokens.id", "tokens.kind", "tokens.ecosystem_id", "tokens.subject_id", "tokens.expires_at"])
      .select(["tokens.revoked_at", "objects.environment_id", "ecosystems.account_id"])
      .select((of) => of.fn.coalesce(...ANCESTORS).as("gone_at"))
      .where("tokens.hash", "=", p.hash),
  ),
  { hash: "text" },
);

/** The log-in that a session token belongs to. */
export const loginBySessionToken = statement<{ hash: string }>("login_by_session_token")((db, p) =>
  db
    .selectFrom("session_tokens")
    .innerJoin("tokens", "tokens.id", "session_tokens.login_id")
    .select([
      "tokens.id",
      "tokens.kind",
      "tokens.account_id",
      "tokens.ecosystem_id",
      "tokens.subject_id",
      "session_tokens.expires_at",
      "tokens.revoked_at",
    ])
    .where("session_tokens.hash", "=", p.hash),
);

const livingEcosystemsOf = statement<{ account: string }>("living_ecosystems_of")((db, p) =>
  db
    .selectFrom("ecosystems")
    .select("id")
    .where("account_id", "=", p.account)
    .where("gone_at", "is", null)
    .orderBy("id"),
);

type OfAccount = { owner: string; id: string };

/** An object of any of the account's ecosystems, living or gone. */
export const objectOfAccount = statement<OfAccount>("object_of_account")((db, p) =>
  objectFacts(db, "ecosystems.account_id", p),
);
export const commandOfAccount = statement<OfAccount>("command_of_account")((db, p) =>
  commandFacts(db, "ecosystems.account_id", p),
);
export const accessEntryOfAccount = statement<OfAccount>("access_entry_of_account")((db, p) =>
  accessEntryFacts(db, "ecosystems.account_id", p),
);
export const tokenOfAccount = statement<OfAccount>("token_of_account")((db, p) =>
  tokenFacts(db, "ecosystems.account_id", p),
);
export const deliveryOfAccount = statement<OfAccount>("delivery_of_account")((db, p) =>
  deliveryFacts(db, "ecosystems.account_id", p),
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

/** Another living ecosystem of the same account, by its own alias. */
export const ecosystemAliasHolder = statement<{ eco: string; alias: string }>("ecosystem_alias_holder")((db, p) =>
  db
    .selectFrom("ecosystems as own")
    .innerJoin("ecosystems", "ecosystems.account_id", "own.account_id")
    .innerJoin("objects", (join) =>
      join.onRef("objects.ecosystem_id", "=", "ecosystems.id").onRef("objects.id", "=", "ecosystems.id"),
    )
    .select("objects.id")
    .where("own.id", "=", p.eco)
    .where("ecosystems.id", "!=", p.eco)
    .where("ecosystems.gone_at", "is", null)
    .where("objects.alias", "=", p.alias),
);

const lockOwner = statement<{ eco: string }>("lock_account_of")((db, p) =>
  db
    .updateTable("accounts")
    .set((of) => ({ created_at: of.ref("created_at") }))
    .where("id", "=", (of) => of.selectFrom("ecosystems").select("account_id").where("id", "=", p.eco)),
);

/**
 * A job is alone in its ecosystem, not in its account: rules over all ecosystems of an account are checked under this lock. It
 * is the last lock that a job takes, so that no two jobs wait for each other.
 */
export async function lockAccountOf(tx: Sql, eco: string): Promise<void> {
  await tx.run(lockOwner, { eco });
}

const holdAccount = statement<{ id: string }>("lock_account")((db, p) =>
  db
    .updateTable("accounts")
    .set((of) => ({ created_at: of.ref("created_at") }))
    .where("id", "=", p.id)
    .returningAll(),
);

/**
 * Reads an account and locks it until the commit: of two jobs that decide by it, on any nodes, the second sees the first's
 * changes. In a job about an account it is the first lock. Undefined when the account is deleted.
 */
export function lockAccount(tx: Sql, id: string): Promise<AccountRow | undefined> {
  return one(tx.all(holdAccount, { id }));
}

/** IDs of an account's living ecosystems, oldest first. */
export async function livingEcosystems(sql: Sql, account: string): Promise<string[]> {
  return (await sql.all(livingEcosystemsOf, { account })).map((row) => row.id);
}
