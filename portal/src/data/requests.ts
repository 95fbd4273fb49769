/** The request log, newest first, and what is left of quotas. */
import type { Porchlight } from "@porchlight/sdk";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";

export interface RequestsAsked {
  /** Undefined: of the whole account. */
  readonly ecosystemId: string | undefined;
  readonly status: number | undefined;
  readonly tokenId: string | undefined;
  readonly requestId: string | undefined;
}

/** Requests a page. */
const PAGE = 100;
/** The log is stored every ten seconds, ms. */
const AGAIN = 10_000;

export const requestsQuery = (api: Porchlight, { ecosystemId, status, tokenId, requestId }: RequestsAsked) =>
  infiniteQueryOptions({
    queryKey: ["requests", ecosystemId, status, tokenId, requestId],
    queryFn: ({ pageParam, signal }) =>
      api.service
        .requests({ ecosystemId, status, tokenId, requestId, order: "newest" }, { pageSize: PAGE, signal })
        .page(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ continuationToken }) => continuationToken,
    staleTime: 0,
    refetchInterval: AGAIN,
  });

export const requestQuotasQuery = (api: Porchlight) =>
  queryOptions({
    queryKey: ["quotas"],
    queryFn: ({ signal }) => api.service.quotas({ signal }),
    refetchInterval: 30_000,
  });
