/** The log book as it is fetched, page by page, and as it goes on by what happens. */
import type { PorchlightEvent } from "@porchlight/sdk";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { logBookQuery } from "../../data/log-book.ts";
import { useEvents } from "../../live/context.tsx";
import { useApi } from "../../session/context.tsx";
import { behind, type MergedLog, mergedLog, type Walk } from "./merged-log.ts";
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
