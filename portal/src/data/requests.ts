/** The request log, newest first, and the remaining quotas. */
import type { AuditFilter, Porchlight, RequestFilter } from "@porchlight/sdk";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";

interface RequestsAsked {
  /** Undefined for the whole account. */
  readonly ecosystemId: string | undefined;
  /** A status code or a class: `404`, `4xx`. */
  readonly status?: string | undefined;
  readonly method?: string | undefined;
  readonly path?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly tokenId?: string | undefined;
  readonly requestId?: string | undefined;
}

/** Requests per page. */
const PAGE = 100;
/** Poll interval in ms: the service stores the log every ten seconds. */
const AGAIN = 10_000;

export const requestsQuery = (api: Porchlight, asked: RequestsAsked) =>
  infiniteQueryOptions({
    queryKey: ["requests", asked],
    queryFn: ({ pageParam, signal }) =>
      api.service
        .requests(
          { ...asked, status: asked.status as RequestFilter["status"], order: "newest" },
          { pageSize: PAGE, signal },
        )
        .page(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ continuationToken }) => continuationToken,
    staleTime: 0,
    refetchInterval: AGAIN,
  });

/** A command's state; the command ends within its deadline. */
export const commandQuery = (api: Porchlight, commandId: string) =>
  queryOptions({
    queryKey: ["commands", commandId],
    queryFn: ({ signal }) => api.commands.get(commandId, { signal }),
    retry: false,
  });

/** The audit log, newest first; the service writes an entry together with its change. */
export const auditQuery = (api: Porchlight, asked: Omit<AuditFilter, "order">) =>
  infiniteQueryOptions({
    queryKey: ["audit", asked],
    queryFn: ({ pageParam, signal }) =>
      api.service.audit({ ...asked, order: "newest" }, { pageSize: PAGE, signal }).page(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ continuationToken }) => continuationToken,
    staleTime: 0,
    refetchInterval: 30_000,
  });

export const usageQuery = (api: Porchlight) =>
  queryOptions({
    queryKey: ["usage"],
    queryFn: ({ signal }) => api.service.usage({ signal }),
    refetchInterval: 30_000,
  });

export const requestQuotasQuery = (api: Porchlight) =>
  queryOptions({
    queryKey: ["quotas"],
    queryFn: ({ signal }) => api.service.quotas({ signal }),
    refetchInterval: 30_000,
  });
