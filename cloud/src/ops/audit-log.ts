/** The audit entries that an account may read. */
import { type AuditEntry, formatTime } from "@porchlight/shared/api";
import type { AccountCaller, References } from "../access/index.ts";
import type { AuditEntryRow, Store } from "../store/index.ts";
import { auditEntries, type LogPart } from "./requests/service-queries.ts";

export interface AuditFilter {
  readonly ecosystemId: string | undefined;
  /** Wall clock, ms, inclusive. */
  readonly since: number | undefined;
  /** Wall clock, ms, exclusive. */
  readonly until: number | undefined;
  /** Kind of the actor: one of the resource's. */
  readonly actor: string | undefined;
  /** An action, or `zone.*` for all actions on zones. */
  readonly action: string | undefined;
}

export class AuditLog {
  readonly #deps: { readonly store: Store; readonly references: References };

  constructor(deps: { readonly store: Store; readonly references: References }) {
    this.#deps = deps;
  }

  /** @throws those of the ecosystem's reference */
  async list(caller: AccountCaller, filter: AuditFilter, part: LogPart): Promise<AuditEntryRow[]> {
    const { store, references } = this.#deps;
    const ecosystemId =
      filter.ecosystemId === undefined
        ? undefined
        : (await references.resolve(caller, "eco", filter.ecosystemId)).ecosystemId;
    return auditEntries(store, { ...filter, accountId: caller.accountId, ecosystemId, part });
  }
}

export function auditEntryResource(row: AuditEntryRow): AuditEntry {
  const detail = JSON.parse(row.detail);
  return {
    id: row.id,
    at: formatTime(row.at),
    actor: {
      // The column holds what `audit` wrote.
      type: row.actor_type as AuditEntry["actor"]["type"],
      ...(row.actor_id !== null && { id: row.actor_id }),
      ...(row.token_id !== null && { tokenId: row.token_id }),
    },
    ...(row.address !== null && { address: row.address }),
    action: row.action,
    ...(row.object_id !== null && { objectId: row.object_id }),
    ...(row.ecosystem_id !== null && { ecosystemId: row.ecosystem_id }),
    ...(Object.keys(detail).length > 0 && { detail }),
  };
}
