/** Loads the log book page by page, and extends it by live events. */
import type { EventLogFilter, EventLogPage, Porchlight, PorchlightEvent } from "@porchlight/sdk";
import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useEvents } from "../../live/context.tsx";
import { useApi } from "../../session/context.tsx";
import { isNews, type LogSource } from "./sources.ts";

const logBookQuery = (api: Porchlight, filter: EventLogFilter) =>
  infiniteQueryOptions({
    queryKey: ["log book", filter],
    queryFn: ({ signal, pageParam }) =>
      api.eventLog({ ...filter, order: "newest" }, { pageSize: 100, signal }).page(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ continuationToken }) => continuationToken,
    // New entries arrive by the stream; after an interruption the log is refetched.
    staleTime: 0,
    gcTime: 0,
  });

export interface LogBookState extends MergedLog {
  readonly isPending: boolean;
  readonly isLoading: boolean;
  readonly error: Error | null;
  readonly refetch: () => void;
  /** Loads older events. */
  readonly loadOlder: () => void;
}

/** Maximum number of live events. */
const MOST_HEARD = 500;

/** @param sources must be the same objects while they select the same events */
export function useLogBook([first, second]: readonly [LogSource, LogSource?]): LogBookState {
  const api = useApi();
  const own = useInfiniteQuery(logBookQuery(api, first.filter));
  const other = useInfiniteQuery({ ...logBookQuery(api, (second ?? first).filter), enabled: second !== undefined });
  const [heard, setHeard] = useState<readonly PorchlightEvent[]>([]);
  const sources = second ? [first, second] : [first];
  useEvents((event) => {
    if (sources.some((source) => isNews(source, event))) setHeard((all) => [event, ...all].slice(0, MOST_HEARD));
  });
  const queries = second ? [own, other] : [own];
  const walks: readonly Walk[] = queries.map(({ data }, at) => ({
    pages: data?.pages ?? [],
    isShown: sources[at]?.isShown ?? (() => false),
  }));
  const shown = heard.filter((event) => sources.some((source) => isNews(source, event)));
  return {
    ...mergedLog(walks, shown),
    isPending: queries.some(({ isPending }) => isPending),
    isLoading: queries.some(({ isFetchingNextPage }) => isFetchingNextPage),
    error: queries.find(({ error }) => error !== null)?.error ?? null,
    refetch: () => {
      for (const query of queries) void query.refetch();
    },
    loadOlder: () => {
      for (const [at, isBehind] of behind(walks).entries()) if (isBehind) void queries[at]?.fetchNextPage();
    },
  };
}

/** The pages of one listing, newest first. */
export interface Walk {
  readonly pages: readonly EventLogPage[];
  readonly isShown: (event: PorchlightEvent) => boolean;
}

interface MergedLog {
  /** Newest first, without duplicates. */
  readonly events: readonly PorchlightEvent[];
  /** The list is complete down to this sequence number; undefined while nothing is loaded. */
  readonly reached: number | undefined;
  /** Whether older events can be loaded. */
  readonly hasMore: boolean;
  /** The oldest event that the service keeps. */
  readonly oldest: number;
}

/**
 * Merges several listings of the event log into one list. It reaches only as far back as every listing does, so that no event in between is
 * missing. Pure.
 * @param heard the live events
 */
export function mergedLog(walks: readonly Walk[], heard: readonly PorchlightEvent[]): MergedLog {
  const lasts = walks.map(({ pages }) => pages.at(-1));
  const open = lasts.flatMap((page) => (page?.continuationToken === undefined ? [] : [page.range.first]));
  const isComplete = lasts.every((page) => page !== undefined);
  const oldest = Math.max(1, ...lasts.flatMap((page) => (page ? [page.log.oldest] : [])));
  const reached = isComplete ? Math.max(oldest, ...open) : undefined;
  const found = walks.flatMap(({ pages, isShown }) => pages.flatMap(({ items }) => items.filter(isShown)));
  const all = new Map([...found, ...heard].map((event) => [event.id, event] as const));
  return {
    events: [...all.values()]
      .filter(({ sequence }) => reached !== undefined && sequence >= reached)
      .sort((one, other) => other.sequence - one.sequence),
    reached,
    hasMore: open.length > 0,
    oldest,
  };
}

/** The listings that must load more to extend the list: those with the shortest reach. */
export function behind(walks: readonly Walk[]): readonly boolean[] {
  const firsts = walks.map(({ pages }) => {
    const last = pages.at(-1);
    return last?.continuationToken === undefined ? Number.NEGATIVE_INFINITY : last.range.first;
  });
  const least = Math.max(...firsts);
  return firsts.map((first) => first === least && first !== Number.NEGATIVE_INFINITY);
}
