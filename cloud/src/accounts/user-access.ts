/** Access of users to environments: accounts and servers grant and remove it. */
import { type AccessEntry, formatTime } from "@porchlight/shared/api";
import type { AccessEntries, Caller, References } from "../access/index.ts";
import { referenceInvalid, referenceNotFound } from "../access/index.ts";
import type { AccessEntryRow, Store } from "../store/index.ts";

export interface UserAccessDeps {
  readonly store: Store;
  readonly references: References;
  readonly entries: AccessEntries;
}

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
