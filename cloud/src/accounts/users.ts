/**
 * Users: people that the operator's server vouches for, each under a key that the operator chooses; and their access to
 * environments.
 */
import { type AccessEntry, formatTime, type NewUser, type User } from "@porchlight/shared/api";
import { type Clock, type IdMaker, NamedError } from "@porchlight/shared/kernel";
import {
  type AccessEntries,
  audit,
  type Caller,
  changeLivingObject,
  DEFAULT_META_PREFIX,
  EMPTY_META,
  endLivingObject,
  insertObject,
  type ObjectChange,
  type Quotas,
  type References,
  readAlias,
  referenceInvalid,
  referenceNotFound,
  replaceMeta,
  showMeta,
  type Tokens,
} from "../access/index.ts";
import { event } from "../events/index.ts";
import { ecosystemsToList, ecosystemToMakeIn, mergedPage, type RegisterHolder } from "../places/index.ts";
import {
  type AccessEntryRow,
  type ObjectRow,
  one,
  type Sql,
  type Store,
  statement,
  type Transaction,
  type UserRow,
} from "../store/index.ts";

/** The row of a user joined with its row as an object. */
type UserObject = Pick<ObjectRow, "ecosystem_id" | "id" | "alias" | "meta" | "version" | "created_at"> &
  Pick<UserRow, "key" | "account_id">;

type PageOf = { eco: string; after: string; limit: number };
const usersOfEcosystem = statement<PageOf>("users_of_ecosystem")((db, p) =>
  db
    .selectFrom("objects")
    .innerJoin("users", (join) =>
      join.onRef("users.ecosystem_id", "=", "objects.ecosystem_id").onRef("users.id", "=", "objects.id"),
    )
    .selectAll("objects")
    .select(["users.key", "users.account_id"])
    .where("objects.ecosystem_id", "=", p.eco)
    .where("objects.kind", "=", "usr")
    .where("objects.gone_at", "is", null)
    .where("objects.id", ">", p.after)
    .orderBy("objects.id")
    .limit(p.limit),
);
const userById = statement<{ eco: string; id: string }>("user_by_id")((db, p) =>
  db
    .selectFrom("objects")
    .innerJoin("users", (join) =>
      join.onRef("users.ecosystem_id", "=", "objects.ecosystem_id").onRef("users.id", "=", "objects.id"),
    )
    .selectAll("objects")
    .select(["users.key", "users.account_id"])
    .where("objects.ecosystem_id", "=", p.eco)
    .where("objects.id", "=", p.id)
    .where("objects.gone_at", "is", null),
);
const keyHolder = statement<{ eco: string; key: string }>("key_holder")((db, p) =>
  db.selectFrom("users").select("id").where("ecosystem_id", "=", p.eco).where("key", "=", p.key),
);

interface UsersDeps {
  readonly store: Store;
  readonly references: References;
  readonly entries: AccessEntries;
  readonly tokens: Tokens;
  readonly clock: Clock;
  readonly ids: IdMaker;
  readonly quotas: Quotas;
}

export class Users {
  readonly #deps: UsersDeps;

  constructor(deps: UsersDeps) {
    this.#deps = deps;
  }

  /** Users after the ID `after`, oldest first. @param filter `ecosystemId` */
  async list(caller: Caller, filter: string | undefined, after: string, limit: number): Promise<readonly UserObject[]> {
    const ecosystems = await ecosystemsToList(this.#deps.references, caller, filter);
    return mergedPage(ecosystems, limit, (eco) =>
      this.#deps.store.of(eco).sql.all(usersOfEcosystem, { eco, after, limit }),
    );
  }

  async get(caller: Caller, reference: string): Promise<UserObject> {
    const { ecosystemId, id } = await this.#deps.references.resolve(caller, "usr", reference);
    return livingUser(this.#deps.store.of(ecosystemId).sql, ecosystemId, id);
  }

  /** @throws "User Key Exists", "Alias Exists", "Ecosystem Missing", "Quota Exceeded", and those of the reference */
  async create(caller: Caller, given: NewUser, prefix: string): Promise<UserObject> {
    const { store, references, clock, ids, quotas } = this.#deps;
    const alias = readAlias(given.alias) ?? null;
    const meta = given.meta === undefined ? EMPTY_META : replaceMeta(EMPTY_META, given.meta, prefix);
    const eco = await ecosystemToMakeIn(references, caller, given.ecosystemId);
    const made = { ecosystem_id: eco, id: ids.next("usr"), key: given.key, account_id: null, alias, meta };
    return store.write(eco, async (tx) => {
      await quotas.require(tx, "usersPerEcosystem", eco);
      const user = await insertUser(tx, { ...made, created_at: clock.now() });
      await audit(tx, caller, "user.created", user.id);
      return user;
    });
  }

  /** @throws "Alias Exists", "Precondition Failed", "Metadata Format Invalid", and those of the reference */
  async update(caller: Caller, reference: string, change: ObjectChange): Promise<UserObject> {
    const { store, references } = this.#deps;
    const target = await references.resolve(caller, "usr", reference);
    return store.write(target.ecosystemId, async (tx) => {
      const { changed } = await changeLivingObject(tx, references, target, change);
      const user = await livingUser(tx, target.ecosystemId, target.id);
      if (!changed) return user;
      await audit(tx, caller, "user.updated", user.id);
      tx.append(event("user.updated", undefined, userResource(user)));
      return user;
    });
  }

  /** Deletes a user with its access and tokens; its key is free again. @throws "Account User Required", "Precondition Failed" */
  async delete(caller: Caller, reference: string, matches?: (version: number) => boolean): Promise<void> {
    const { store, references, entries, tokens, clock } = this.#deps;
    const target = await references.resolve(caller, "usr", reference);
    const { ecosystemId: eco, id } = target;
    await store.write(eco, async (tx) => {
      const user = await livingUser(tx, eco, id);
      if (user.account_id !== null) throw new NamedError("Account User Required");
      await endLivingObject(tx, references, target, clock.now(), matches);
      await tx.change(tx.build.deleteFrom("users").where("ecosystem_id", "=", eco).where("id", "=", id));
      await entries.takeAllAway(tx, eco, id);
      await tokens.revokeAll(tx, id);
      await audit(tx, caller, "user.deleted", id);
      tx.append(event("user.deleted", undefined, userResource(user)));
    });
  }
}

/** Stores a user and its event, in a job of its ecosystem. @throws "User Key Exists", "Alias Exists" */
async function insertUser(
  tx: Transaction,
  given: Pick<UserObject, "ecosystem_id" | "id" | "key" | "account_id" | "created_at"> &
    Partial<Pick<UserObject, "alias" | "meta">>,
): Promise<UserObject> {
  const { key, account_id, ...object } = given;
  const { ecosystem_id, id } = given;
  if (await one(tx.all(keyHolder, { eco: ecosystem_id, key }))) throw new NamedError("User Key Exists");
  const row = await insertObject(tx, { ...object, kind: "usr", environment_id: null });
  await tx.change(tx.build.insertInto("users").values({ ecosystem_id, id, key, account_id }));
  const user = { ...row, key, account_id };
  tx.append(event("user.created", undefined, userResource(user)));
  return user;
}

export function userResource(user: UserObject, prefix = DEFAULT_META_PREFIX): User {
  return {
    id: user.id,
    ecosystemId: user.ecosystem_id,
    key: user.key,
    ...(user.alias !== null && { alias: user.alias }),
    meta: showMeta(user.meta, prefix),
    createdAt: formatTime(user.created_at),
  };
}

async function livingUser(sql: Sql, eco: string, id: string): Promise<UserObject> {
  const user = await one(sql.all(userById, { eco, id }));
  if (!user) throw referenceNotFound("usr");
  return user;
}

interface HolderDeps {
  readonly ids: IdMaker;
  readonly clock: Clock;
}

/**
 * The user of an account's holder: its key is the account's ID, and it exists as long as the account (A2).
 * Call it in a job of the ecosystem that the holder becomes a user of.
 */
export function insertHolder(
  { ids, clock }: HolderDeps,
  tx: Transaction,
  eco: string,
  account: string,
): Promise<UserObject> {
  const id = ids.next("usr");
  return insertUser(tx, { ecosystem_id: eco, id, key: account, account_id: account, created_at: clock.now() });
}

/** Called when the holder's ecosystem is deleted: the holder becomes a user of the next one, at first without access. */
export function registerHolder(deps: HolderDeps): RegisterHolder {
  return async (tx, eco, account) => {
    await insertHolder(deps, tx, eco, account);
  };
}

interface UserAccessDeps {
  readonly store: Store;
  readonly references: References;
  readonly entries: AccessEntries;
}

/** Access of users to environments: accounts and servers grant and remove it. */
export class UserAccess {
  readonly #deps: UserAccessDeps;

  constructor(deps: UserAccessDeps) {
    this.#deps = deps;
  }

  async list(caller: Caller, user: string, after: string, limit: number): Promise<AccessEntryRow[]> {
    const { ecosystemId, id } = await this.#deps.references.resolve(caller, "usr", user);
    return this.#deps.entries.list(this.#deps.store.of(ecosystemId).sql, ecosystemId, id, after, limit);
  }

  /** Grants access; a repeated grant returns the same entry. @throws those of the references */
  async grant(caller: Caller, user: string, environment: string): Promise<AccessEntryRow> {
    const { store, references, entries } = this.#deps;
    const { ecosystemId, id } = await references.resolve(caller, "usr", user);
    const place = await references.resolve(caller, "env", environment);
    // An account can have several ecosystems; a user of one has no access to environments of another.
    if (place.ecosystemId !== ecosystemId) throw referenceInvalid("env");
    return store.write(ecosystemId, (tx) => entries.grant(tx, caller, ecosystemId, id, place.id));
  }

  /** @throws "Access Entry Invalid", "Access Entry Not Found", and those of the user's reference */
  async takeAway(caller: Caller, user: string, entry: string): Promise<void> {
    const { store, references, entries } = this.#deps;
    const { ecosystemId, id } = await references.resolve(caller, "usr", user);
    const target = await references.resolve(caller, "acs", entry);
    if (target.ecosystemId !== ecosystemId) throw referenceNotFound("acs");
    await store.write(ecosystemId, (tx) => entries.takeAway(tx, caller, ecosystemId, id, target.id));
  }
}

export function accessEntryResource(row: AccessEntryRow): AccessEntry {
  return { id: row.id, environmentId: row.environment_id, createdAt: formatTime(row.created_at) };
}
