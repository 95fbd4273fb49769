/** The request log, newest first, and what is left of quotas. */
import type { AuditFilter, Porchlight, RequestFilter } from "@porchlight/sdk";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";

export interface RequestsAsked {
  /** Undefined: of the whole account. */
  readonly ecosystemId: string | undefined;
  /** A number or a class. */
  readonly status?: string | undefined;
  readonly method?: string | undefined;
  readonly path?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly tokenId?: string | undefined;
  readonly requestId?: string | undefined;
}

/** Requests a page. */
const PAGE = 100;
/** The log is stored every ten seconds, ms. */
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

/** What is known of a command; it ends within its deadline. */
export const commandQuery = (api: Porchlight, commandId: string) =>
  queryOptions({
    queryKey: ["commands", commandId],
    queryFn: ({ signal }) => api.commands.get(commandId, { signal }),
    retry: false,
  });

/** Who changed what, the newest first; an entry is written with its change. */
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
