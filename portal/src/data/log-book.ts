/** The event log, the newest first, as the log book of a device, a zone or an environment asks for it. */
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
    // What happens comes by the stream; where that stood still, it is asked for anew.
    staleTime: 0,
    gcTime: 0,
  });
