/** The log book as it is fetched, page by page, and as it goes on by what happens. */
import type { EventLogPage, PorchlightEvent } from "@porchlight/sdk";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { logBookQuery } from "../../data/log-book.ts";
import { useEvents } from "../../live/context.tsx";
import { useApi } from "../../session/context.tsx";
import { isNews, type LogSource } from "./sources.ts";

export interface LogBookState extends MergedLog {
  readonly isPending: boolean;
  readonly isLoading: boolean;
  readonly error: Error | null;
  readonly refetch: () => void;
  /** Asks for what is older. */
  readonly loadOlder: () => void;
}

/** Events that are held of what has happened since. */
const MOST_HEARD = 500;

/** @param sources the same ones for as long as they ask for the same */
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

// Several walks through the event log as one list: only as far back as all of them have looked, so that nothing is missing in between. Pure.

/** Pages of one walk, the newest first. */
export interface Walk {
  readonly pages: readonly EventLogPage[];
  readonly isShown: (event: PorchlightEvent) => boolean;
}

interface MergedLog {
  /** The newest first, each once. */
  readonly events: readonly PorchlightEvent[];
  /** The sequence down to which every event is there; undefined while nothing was looked at. */
  readonly reached: number | undefined;
  /** Whether there are older ones to be asked for. */
  readonly hasMore: boolean;
  /** The oldest event that the service keeps. */
  readonly oldest: number;
}

/** @param heard what has happened since */
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

/** Which walks must go on so that the list gets longer: those that have come least far. */
export function behind(walks: readonly Walk[]): readonly boolean[] {
  const firsts = walks.map(({ pages }) => {
    const last = pages.at(-1);
    return last?.continuationToken === undefined ? Number.NEGATIVE_INFINITY : last.range.first;
  });
  const least = Math.max(...firsts);
  return firsts.map((first) => first === least && first !== Number.NEGATIVE_INFINITY);
}
