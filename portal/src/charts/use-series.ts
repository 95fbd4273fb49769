/** The series of a chart: fetches the displayed time and extends it by live changes. */
import type { HistoryResolution } from "@porchlight/shared/api";
import { useQueries } from "@tanstack/react-query";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { timeOf, useNow } from "../kit/text/age.tsx";
import { useHistory } from "../live/context.tsx";
import type { Gap, History, Point } from "../live/history.ts";
import { keyOf } from "../live/target.ts";
import { useApi } from "../session/context.tsx";
import { fetchSeries, resolutionsFor } from "./fetch-series.ts";
import { planOf, type SeriesPlan } from "./plan.ts";
import { missesReturn, type RecordedSeries, withLiveChanges } from "./planned-series.ts";
import { probableKind, type Subject } from "./series-subject.ts";
import { DAY, fetched, HOUR, type Span, spanOfView, type View } from "./span.ts";

export interface ChartSeries {
  readonly span: Span;
  /** The service's time, in ms since 1970. */
  readonly now: number;
  /** The available series, in the order of the subjects. */
  readonly plans: readonly SeriesPlan[];
  /** No series is available yet. */
  readonly isPending: boolean;
  /** The chart still shows the series of another time while the right one loads. */
  readonly isFetching: boolean;
  readonly error: Error | null;
  readonly refetch: () => void;
}

/** Delay in ms before a request while the user zooms. */
const REST = 250;
/** Time in ms for which an unused response stays in the cache: it can be large. */
const KEPT = 60_000;
/** Poll interval in ms while the service has yet to record a known change, which takes it a second or two. */
const SOON = 2_000;

export function useSeries(
  subjects: readonly Subject[],
  view: View,
  resolution: HistoryResolution | undefined,
): ChartSeries {
  const api = useApi();
  const history = useHistory();
  useSyncExternalStore(history.subscribe, history.version);
  const now = useSteadyNow(history, view);
  const span = spanOfView(view, now);
  const length = span.to - span.from;
  const wanted = useRested(
    JSON.stringify({ ...fetched(span, now), fitting: resolution ?? resolutionsFor(length), length }),
  );
  const asked = JSON.parse(wanted) as Span & { readonly fitting: string; readonly length: number };
  const queries = useQueries({
    queries: subjects.map((subject) => ({
      queryKey: ["history", keyOf(subject.target), asked.from, asked.to, asked.fitting],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        fetchSeries(
          api,
          { target: subject.target, span: asked, length: asked.length, kind: probableKind(subject), resolution },
          signal,
        ).then((series) => series ?? null),
      structuralSharing: false,
      gcTime: KEPT,
      refetchInterval: ({ state }: { readonly state: { readonly data?: RecordedSeries | null | undefined } }) =>
        asked.to >= now && pace(asked.length, subject, state.data),
    })),
  });
  const cache = useRef(new PlanCache()).current;
  // Show the series of the previous time while this one loads, because a query list does not keep previous data.
  const last = useRef(new Map<string, RecordedSeries | null>()).current;
  const known = queries.map(({ data }, index) => {
    const key = subjects[index] ? keyOf(subjects[index].target) : "";
    if (data !== undefined) last.set(key, data);
    return data === undefined ? last.get(key) : data;
  });
  const plans = useSame(
    known.flatMap((data, index) => {
      const subject = subjects[index];
      if (!data || !subject) return [];
      const points = history.pointsOf(keyOf(subject.target));
      return [cache.planOf(data, { points, history, unknown: unknownOf(history, subject), now })];
    }),
  );
  return {
    ...{ span, now, plans },
    isPending: known.every((data) => data === undefined) && queries.some(({ isPending }) => isPending),
    isFetching: queries.some(({ data }) => data === undefined),
    error: queries.find(({ error }) => error)?.error ?? null,
    refetch: () => {
      for (const query of queries) void query.refetch();
    },
  };
}

/** The poll interval in ms: no event reports the end of a step. @returns ms */
function pace(length: number, { device }: Subject, answered: RecordedSeries | null | undefined): number {
  if (answered && missesReturn(answered, device.connection?.state === "online")) return SOON;
  return length <= 8 * DAY ? 60_000 : 10 * 60_000;
}

/** The times for which this page has no data: it received no events, or the device or its hub was away. In the service's time. */
function unknownOf(
  history: History,
  { device }: Subject,
): readonly { readonly from: number; readonly to: number | undefined }[] {
  const ids = [device.id, ...(device.clientId === undefined ? [] : [device.clientId])];
  const gaps = history.gapsOf(ids).map(({ from, to }) => ({
    from: history.serviceTime(from),
    to: to === undefined ? undefined : history.serviceTime(to),
  }));
  const { connection } = device;
  if (!connection || connection.state === "online" || gaps.some(({ to }) => to === undefined)) return gaps;
  return [...gaps, { from: timeOf(connection.since), to: undefined }];
}

/** The service's current time, rounded up to steps that are visible in a chart of this length. */
function useSteadyNow(history: History, view: View): number {
  const length = view.kind === "recent" ? view.length : view.to - view.from;
  const step = length <= HOUR ? 1000 : Math.ceil(length / HOUR) * 1000;
  // The current second is included, so that no live change is later than now.
  return Math.ceil((history.serviceTime(useNow()) + 1000) / step) * step;
}

/** Returns a value after it has been stable for a while; the first value at once. */
function useRested(value: string): string {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}

/** Returns the previous list while its elements are the same. */
function useSame<T>(list: readonly T[]): readonly T[] {
  const before = useRef(list);
  if (before.current.length !== list.length || list.some((each, at) => each !== before.current[at]))
    before.current = list;
  return before.current;
}

/** The live data that extends a recorded series. */
interface LiveChanges {
  readonly points: readonly Point[];
  readonly history: Pick<History, "serviceTime">;
  /** In the service's time. */
  readonly unknown: readonly Gap[];
  /** In ms since 1970. */
  readonly now: number;
}

interface Made {
  readonly series: RecordedSeries;
  readonly points: readonly Point[];
  readonly unknown: string;
  readonly now: number;
  readonly plan: SeriesPlan;
}

/** Rebuilds a plan only when its inputs have changed, because a chart is drawn far more often than that. */
class PlanCache {
  readonly #made = new Map<string, Made>();

  planOf(series: RecordedSeries, { points, history, unknown, now }: LiveChanges): SeriesPlan {
    const before = this.#made.get(series.key);
    const unknownText = JSON.stringify(unknown);
    const isSame =
      before?.series === series &&
      (!series.goesOn || (before.points === points && before.unknown === unknownText && before.now === now));
    if (before && isSame) return before.plan;
    const live = points.flatMap(({ at, value }) => (at === undefined ? [] : [{ at: history.serviceTime(at), value }]));
    const plan = planOf(withLiveChanges(series, live, unknown, now), now);
    this.#made.set(series.key, { series, points, unknown: unknownText, now, plan });
    return plan;
  }
}
