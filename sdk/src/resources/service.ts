/** What the service tells of itself and of what was done with it: its catalogue, quotas, the request log and the audit trail. */
import type { AuditEntry, LoggedRequest, Quota, ServiceClass, Usage } from "@porchlight/shared/api";
import { Collection, type PageOptions } from "../transport/collection.ts";
import type { CallOptions, Transport } from "../transport/transport.ts";

/** Which entries of a log come first; "oldest" when left out. */
export interface LogOrder {
  readonly order?: "oldest" | "newest" | undefined;
}

export interface RequestFilter extends LogOrder {
  readonly ecosystemId?: string | undefined;
  /** HTTP status, or a class of them. */
  readonly status?: number | "1xx" | "2xx" | "3xx" | "4xx" | "5xx" | undefined;
  /** Such as `PUT`. */
  readonly method?: string | undefined;
  /** A part of the path, or of its route. */
  readonly path?: string | undefined;
  /** `YYYY-MM-DD HH:MM:SSZ`: not what is older. */
  readonly since?: string | undefined;
  /** `YYYY-MM-DD HH:MM:SSZ`: only what is older. */
  readonly until?: string | undefined;
  readonly tokenId?: string | undefined;
  /** `requestId` of an error, `x-request-id` of an answer. */
  readonly requestId?: string | undefined;
}

export interface AuditFilter extends LogOrder {
  readonly ecosystemId?: string | undefined;
  /** `YYYY-MM-DD HH:MM:SSZ`: not what is older. */
  readonly since?: string | undefined;
  /** `YYYY-MM-DD HH:MM:SSZ`: only what is older. */
  readonly until?: string | undefined;
  /** Kind of who did it. */
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

  /** What the data of the account takes in the database. @throws PorchlightError */
  async usage(options?: CallOptions): Promise<Usage> {
    const request = { method: "GET", path: "/api/usage", repeat: "read" } as const;
    return (await this.#transport.send<Usage>(request, options)).body;
  }

  /** The request log, 7 days. */
  requests(filter: RequestFilter = {}, options?: PageOptions): Collection<LoggedRequest> {
    return new Collection<LoggedRequest>(this.#transport, "/api/requests", { ...filter }, options);
  }

  /** Who changed what. */
  audit(filter: AuditFilter = {}, options?: PageOptions): Collection<AuditEntry> {
    return new Collection<AuditEntry>(this.#transport, "/api/audit", { ...filter }, options);
  }

  /** The OpenAPI document. @throws PorchlightError */
  async openApi(options?: CallOptions): Promise<unknown> {
    return (await this.#transport.send({ method: "GET", path: "/api/openapi.json", repeat: "read" }, options)).body;
  }

  async #items<T>(at: string, options?: CallOptions): Promise<readonly T[]> {
    const request = { method: "GET", path: at, repeat: "read" } as const;
    return (await this.#transport.send<{ readonly items: readonly T[] }>(request, options)).body.items;
  }
}
