/** The parts of the audit and of the request log that an account or a server may read. */
import { type AuditEntry, formatTime, type LoggedRequest } from "@porchlight/shared/api";
import type { AccountCaller, References, ServerCaller } from "../access/index.ts";
import type { AuditEntryRow, RequestLogRow, Store } from "../store/index.ts";
import { auditEntries, type LogPart, loggedRequests, type RequestCondition } from "./requests/service-queries.ts";

interface AuditFilter {
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

/** The audit entries that an account may read. */
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

interface RequestFilter extends RequestCondition {
  readonly ecosystemId: string | undefined;
}

/** The part of the request log that an account or a server may read. */
export class RequestLog {
  readonly #deps: { readonly store: Store; readonly references: References };

  constructor(deps: { readonly store: Store; readonly references: References }) {
    this.#deps = deps;
  }

  /** @throws those of the ecosystem's reference */
  async list(caller: AccountCaller | ServerCaller, filter: RequestFilter, part: LogPart): Promise<RequestLogRow[]> {
    const { store, references } = this.#deps;
    const asked =
      filter.ecosystemId === undefined
        ? undefined
        : (await references.resolve(caller, "eco", filter.ecosystemId)).ecosystemId;
    const owner =
      caller.kind === "server"
        ? { ecosystemId: caller.ecosystemId }
        : { accountId: caller.accountId, ...(asked !== undefined && { ecosystemId: asked }) };
    return loggedRequests(store, { owner, filter, part });
  }
}

export function loggedRequestResource(row: RequestLogRow): LoggedRequest {
  return {
    id: row.request_id,
    at: formatTime(row.at),
    method: row.method,
    route: row.route,
    path: row.path,
    status: row.status,
    durationMs: row.duration_us / 1000,
    ...(row.token_id !== null && { tokenId: row.token_id }),
    ...(row.problem !== null && { problem: row.problem }),
    // Only `keptProblem` writes it.
    ...(row.problem_body !== null && { problemBody: JSON.parse(row.problem_body) }),
    ...(row.command_id !== null && { commandId: row.command_id }),
  };
}
