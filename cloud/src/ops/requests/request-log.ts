/** The part of the request log that an account or a server may read. */
import { formatTime, type LoggedRequest } from "@porchlight/shared/api";
import type { AccountCaller, References, ServerCaller } from "../../access/index.ts";
import type { RequestLogRow, Store } from "../../store/index.ts";
import { type LogPart, loggedRequests, type RequestCondition } from "./service-queries.ts";

export interface RequestFilter extends RequestCondition {
  readonly ecosystemId: string | undefined;
}

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
