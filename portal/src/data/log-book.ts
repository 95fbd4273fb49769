/** The event log, newest first, for the log book of a device, a zone or an environment. */
import type { EventLogFilter, Porchlight } from "@porchlight/sdk";
import { infiniteQueryOptions } from "@tanstack/react-query";

const PAGE = 100;

export const logBookQuery = (api: Porchlight, filter: EventLogFilter) =>
  infiniteQueryOptions({
    queryKey: ["log book", filter],
    queryFn: ({ signal, pageParam }) =>
      api.eventLog({ ...filter, order: "newest" }, { pageSize: PAGE, signal }).page(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ continuationToken }) => continuationToken,
    // New entries arrive by the stream; after an interruption the log is refetched.
    staleTime: 0,
    gcTime: 0,
  });
