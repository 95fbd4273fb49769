/** Ecosystems, for their account, servers and users: create, list, read, change and delete. */
import { type Ecosystem, formatTime, type NewEcosystem } from "@porchlight/shared/api";
import { type Clock, type IdMaker, NamedError } from "@porchlight/shared/kernel";
import {
  type AccountCaller,
  audit,
  type Caller,
  changeLivingObject,
  DEFAULT_META_PREFIX,
  EMPTY_META,
  insertObject,
  livingObject,
  lockAccount,
  lockAccountOf,
  type ObjectChange,
  type Quotas,
  type References,
  type Revocations,
  reach,
  readAlias,
  replaceMeta,
  showMeta,
} from "../access/index.ts";
import type { ObjectRow, Store, Transaction } from "../store/index.ts";
import { endEcosystem, type SweepTrigger } from "./deletion.ts";
import { otherEcosystem } from "./service-queries.ts";

export interface EcosystemsDeps {
  readonly store: Store;
  readonly references: References;
  readonly revocations: Revocations;
  readonly sweeper: SweepTrigger;
  readonly clock: Clock;
  readonly ids: IdMaker;
  readonly quotas: Quotas;
  readonly registerHolder: RegisterHolder;
}

/** Registers the account's holder as a user of another of its ecosystems, in a job of that ecosystem. */
export type RegisterHolder = (tx: Transaction, ecosystemId: string, accountId: string) => Promise<void>;

export class Ecosystems {
  readonly #deps: EcosystemsDeps;

  constructor(deps: EcosystemsDeps) {
    this.#deps = deps;
  }

  /** All ecosystems within the caller's reach, oldest first, after the one with that ID. */
  async list(caller: Caller, after: string, limit: number): Promise<ObjectRow[]> {
    const ids = reach(caller)
      .filter((id) => id > after)
      .slice(0, limit);
    return Promise.all(ids.map((id) => livingObject(this.#deps.store.of(id).sql, id, "eco", id)));
  }

  async get(caller: Caller, reference: string): Promise<ObjectRow> {
    const { ecosystemId } = await this.#deps.references.resolve(caller, "eco", reference);
    return livingObject(this.#deps.store.of(ecosystemId).sql, ecosystemId, "eco", ecosystemId);
  }

  /** @throws "Alias Exists", "Quota Exceeded", "Token Invalid" */
  async create(caller: AccountCaller, given: NewEcosystem, prefix: string): Promise<ObjectRow> {
    const { store, clock, ids, quotas, revocations } = this.#deps;
    const { accountId } = caller;
    const alias = readAlias(given.alias) ?? null;
    const meta = given.meta === undefined ? EMPTY_META : replaceMeta(EMPTY_META, given.meta, prefix);
    const id = ids.next("eco");
    return store.write(id, async (tx) => {
      // Serialises concurrent requests, so that each sees the other's result, and excludes accounts that are being
      // erased.
      if (!(await lockAccount(tx, accountId))) throw new NamedError("Token Invalid");
      await quotas.require(tx, "ecosystemsPerAccount", accountId);
      const row = await insertEcosystem(tx, accountId, id, clock.now(), { alias, meta });
      await audit(tx, caller, "ecosystem.created", id);
      await revocations.end(tx, { kind: "access", subjectId: accountId });
      return row;
    });
  }

  /** @throws "Alias Exists", "Precondition Failed", "Metadata Format Invalid", and those of the reference */
  async update(caller: AccountCaller, reference: string, change: ObjectChange): Promise<ObjectRow> {
    const { store, references } = this.#deps;
    const target = await references.resolve(caller, "eco", reference);
    return store.write(target.ecosystemId, async (tx) => {
      const { row, changed } = await changeLivingObject(tx, references, target, change);
      if (changed) await audit(tx, caller, "ecosystem.updated", row.id);
      return row;
    });
  }

  /**
   * Deletes it with all its contents. The account's holder stays a user: of another ecosystem, if it was a user of this
   * one only.
   * @throws "Last Ecosystem Required", "Precondition Failed", and those of the reference
   */
  async delete(caller: AccountCaller, reference: string, matches?: (version: number) => boolean): Promise<void> {
    const { store, references, registerHolder } = this.#deps;
    const { accountId } = caller;
    const target = await references.resolve(caller, "eco", reference);
    for (;;) {
      const heir = await store.write(target.id, async (tx) => {
        const { version } = await livingObject(tx, target.id, "eco", target.id);
        if (matches && !matches(version)) throw new NamedError("Precondition Failed");
        await lockAccountOf(tx, target.id);
        const other = await otherEcosystem(tx, accountId, target.id);
        if (!other) throw new NamedError("Last Ecosystem Required");
        if (other.holder === null) return other.id;
        await endEcosystem(tx, this.#deps, accountId, target);
        await audit(tx, caller, "ecosystem.deleted", target.id);
        return undefined;
      });
      if (heir === undefined) return;
      try {
        await store.write(heir, (tx) => registerHolder(tx, heir, accountId));
      } catch (error) {
        // It was deleted meanwhile: the next round finds another, or none.
        if (!(error instanceof NamedError && error.name === "Ecosystem Not Found")) throw error;
      }
    }
  }
}

export function ecosystemResource(row: ObjectRow, prefix = DEFAULT_META_PREFIX): Ecosystem {
  return {
    id: row.id,
    ...(row.alias !== null && { alias: row.alias }),
    meta: showMeta(row.meta, prefix),
    createdAt: formatTime(row.created_at),
  };
}

/** Creates an ecosystem of an account, in a job of the new ecosystem. @throws "Alias Exists" */
export async function insertEcosystem(
  tx: Transaction,
  accountId: string,
  id: string,
  createdAt: number,
  given: Partial<Pick<ObjectRow, "alias" | "meta">> = {},
): Promise<ObjectRow> {
  await tx.change(tx.build.insertInto("ecosystems").values({ id, account_id: accountId, gone_at: null }));
  return insertObject(tx, { ecosystem_id: id, id, kind: "eco", environment_id: null, created_at: createdAt, ...given });
}
