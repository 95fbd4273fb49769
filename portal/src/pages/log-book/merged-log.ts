/** Several walks through the event log as one list: only as far back as all of them have looked, so that nothing is missing in between. Pure. */
import type { EventLogPage, PorchlightEvent } from "@porchlight/sdk";

/** Pages of one walk, the newest first. */
export interface Walk {
  readonly pages: readonly EventLogPage[];
  readonly isShown: (event: PorchlightEvent) => boolean;
}

export interface MergedLog {
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
