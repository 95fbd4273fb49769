/** The service and its use: its catalogue, quotas, the request log, the audit trail and the activity in steps of time. */
import type {
  ActivityPage,
  ActivityStep,
  AuditEntry,
  LoggedRequest,
  Quota,
  ServiceClass,
  Usage,
} from "@porchlight/shared/api";
import { Collection, type Page, type PageOptions } from "../collection.ts";
import type { PorchlightEvent } from "../event.ts";
import type { CallOptions, Transport } from "../transport.ts";

/** Order of a log's entries; "oldest" first when omitted. */
export interface LogOrder {
  readonly order?: "oldest" | "newest" | undefined;
}

export interface RequestFilter extends LogOrder {
  readonly ecosystemId?: string | undefined;
  /** An HTTP status, or a class of them. */
  readonly status?: number | "1xx" | "2xx" | "3xx" | "4xx" | "5xx" | undefined;
  /** For example `PUT`. */
  readonly method?: string | undefined;
  /** Part of the path or of its route. */
  readonly path?: string | undefined;
  /** `YYYY-MM-DD HH:MM:SSZ`: excludes older entries. */
  readonly since?: string | undefined;
  /** `YYYY-MM-DD HH:MM:SSZ`: only older entries. */
  readonly until?: string | undefined;
  readonly tokenId?: string | undefined;
  /** `requestId` of an error, `x-request-id` of an answer. */
  readonly requestId?: string | undefined;
}

export interface AuditFilter extends LogOrder {
  readonly ecosystemId?: string | undefined;
  /** `YYYY-MM-DD HH:MM:SSZ`: excludes older entries. */
  readonly since?: string | undefined;
  /** `YYYY-MM-DD HH:MM:SSZ`: only older entries. */
  readonly until?: string | undefined;
  /** Kind of the actor. */
  readonly actor?: AuditEntry["actor"]["type"] | undefined;
  /** An action such as `zone.created`, or `zone.*`. */
  readonly action?: string | undefined;
}

export class Service {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The standard service classes. @throws PorchlightError */
  catalogue(options?: CallOptions): Promise<readonly ServiceClass[]> {
    return this.#items("/api/services", options);
  }

  /** @throws PorchlightError */
  quotas(options?: CallOptions): Promise<readonly Quota[]> {
    return this.#items("/api/quotas", options);
  }

  /** Space that the account's data takes in the database. @throws PorchlightError */
  async usage(options?: CallOptions): Promise<Usage> {
    return this.#transport.get<Usage>("/api/usage", options);
  }

  /** The request log of the last 7 days. */
  requests(filter: RequestFilter = {}, options?: PageOptions): Collection<LoggedRequest> {
    return new Collection<LoggedRequest>(this.#transport, "/api/requests", { ...filter }, options);
  }

  /** The audit trail: changes with their actors. */
  audit(filter: AuditFilter = {}, options?: PageOptions): Collection<AuditEntry> {
    return new Collection<AuditEntry>(this.#transport, "/api/audit", { ...filter }, options);
  }

  /** The OpenAPI document. @throws PorchlightError */
  async openApi(options?: CallOptions): Promise<unknown> {
    return this.#transport.get("/api/openapi.json", options);
  }

  async #items<T>(at: string, options?: CallOptions): Promise<readonly T[]> {
    return (await this.#transport.get<{ readonly items: readonly T[] }>(at, options)).items;
  }
}

export interface ActivityFilter {
  /** Required for an account with several ecosystems, unless an environment is given. */
  readonly ecosystemId?: string | undefined;
  /** Only commands and incidents of this environment; requests are then left out. */
  readonly environmentId?: string | undefined;
  /** `YYYY-MM-DD HH:MM:SSZ`; an hour before `until` when omitted. Seven days are kept. */
  readonly since?: string | undefined;
  /** `YYYY-MM-DD HH:MM:SSZ`; now when omitted. */
  readonly until?: string | undefined;
  /** 1 to 1440; 1 when omitted. */
  readonly stepMinutes?: number | undefined;
}

/** Steps of the time `range`, and its incidents. A step that is missing in `items` is unknown, not empty. */
export interface ActivityStepPage
  extends Page<ActivityStep>,
    Pick<ActivityPage, "range" | "incidentsSince" | "moreIncidents"> {
  /** Newest first, at most 100. */
  readonly incidents: readonly PorchlightEvent[];
}

/** Activity: commands by outcome and requests by status class, in steps, with the incidents of that time. */
export function activityOf(
  transport: Transport,
  filter: ActivityFilter,
  options?: PageOptions,
): Collection<ActivityStep, ActivityStepPage> {
  return new Collection(transport, "/api/activity", { ...filter }, options);
}
