/** Loads the event log page by page, and follows it by the stream that all tabs share. */
import type { EventLogFilter, PorchlightEvent } from "@porchlight/sdk";
import { useCallback, useEffect, useEffectEvent, useReducer, useRef, useState } from "react";
import { useEvents, useLiveness } from "../../live/context.tsx";
import { useApi } from "../../session/context.tsx";
import { EMPTY_VIEW, type IsShown, isBehind, type LogInput, type LogView, loadedTo, nextView } from "./log-view.ts";

/** Events per page. */
export const PAGE = 200;
/** Minimum interval between two updates of the list, in ms. */
const BATCH = 150;

/** The position of a page: relative to an end of the log or of a gap, or from a time on. */
export type LogPart = Pick<EventLogFilter, "after" | "before" | "since" | "order">;

interface LogState {
  readonly view: LogView;
  readonly tell: (input: LogInput) => void;
  readonly load: (place: LogPart, grows: "older" | "newer") => void;
  readonly isLoading: boolean;
  /** The error of the last page that failed to load. */
  readonly failure: { readonly error: unknown; readonly retry: () => void } | undefined;
}

/**
 * @param filter must be the same object while it selects the same events
 * @param start the first position; undefined: the newest events, live
 */
export function useLog(filter: EventLogFilter, start: LogPart | undefined, isShown: IsShown): LogState {
  const api = useApi();
  const [view, tell] = useReducer(nextView, EMPTY_VIEW);
  const [isLoading, setLoading] = useState(false);
  const inFlight = useRef(0);
  const [failure, setFailure] = useState<LogState["failure"]>(undefined);
  /** Aborts requests with previous filters. */
  const asking = useRef(new AbortController());

  const load = useCallback(
    (place: LogPart, grows: "older" | "newer") => {
      const { signal } = asking.current;
      inFlight.current += 1;
      setLoading(true);
      setFailure(undefined);
      api
        .eventLog({ ...filter, ...place }, { pageSize: PAGE, signal })
        .page()
        .then((page) => {
          if (!signal.aborted) tell({ kind: "page", page, grows });
        })
        .catch((error: unknown) => {
          if (!signal.aborted) setFailure({ error, retry: () => load(place, grows) });
        })
        .finally(() => {
          inFlight.current -= 1;
          setLoading(inFlight.current > 0);
        });
    },
    [api, filter],
  );

  const begin = useEffectEvent(() => load(start ?? { order: "newest" }, "newer"));
  const startKey = JSON.stringify(start);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other filters or another position restart the log
  useEffect(() => {
    tell({ kind: "begin", isFollowing: start === undefined });
    begin();
    return () => {
      asking.current.abort();
      asking.current = new AbortController();
    };
  }, [load, startKey]);

  useHeard(filter.ecosystemId, (events) => tell({ kind: "heard", events, isShown }));

  const catchUp = useEffectEvent(() => {
    const end = loadedTo(view);
    if (inFlight.current > 0 || !view.isFollowing) return;
    load(end === undefined ? { order: "newest" } : { after: end, order: "newest" }, "newer");
  });
  const isStale = isBehind(view) || (view.isFollowing && view.runs.length === 0);
  const mayTry = !isLoading && failure === undefined;
  useEffect(() => {
    if (isStale && mayTry) catchUp();
  }, [isStale, mayTry]);
  const { kind } = useLiveness();
  useEffect(() => {
    // Load the events between the last page and the start of the stream.
    if (kind === "live") catchUp();
  }, [kind]);

  return { view, tell, load, isLoading, failure };
}

/** The ecosystem's live events, in batches that the eye can follow. */
function useHeard(ecosystemId: string | undefined, listener: (events: readonly PorchlightEvent[]) => void): void {
  const batch = useRef<PorchlightEvent[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const onEvents = useRef(listener);
  onEvents.current = listener;
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  useEvents((event) => {
    // After a change of the ecosystem, an event of the previous one may still arrive.
    if (event.ecosystemId !== ecosystemId) return;
    batch.current.push(event);
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      onEvents.current(batch.current.splice(0));
    }, BATCH);
  });
}
