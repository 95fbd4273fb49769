/** The series of a chart: fetched for the time that is shown, and continued by what is told live. */
import type { HistoryResolution } from "@porchlight/shared/api";
import { useQueries } from "@tanstack/react-query";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { timeOf, useNow } from "../../kit/text/age.tsx";
import { useHistory } from "../../live/context.tsx";
import type { Gap, History, Point } from "../../live/history.ts";
import { keyOf } from "../../live/target.ts";
import { useApi } from "../../session/context.tsx";
import { planOf, type SeriesPlan } from "../plan/plan.ts";
import { resolutionsFor } from "../plan/resolution.ts";
import { missesReturn, type RecordedSeries, withTold } from "../plan/series.ts";
import { DAY, fetched, HOUR, type Span, spanOfView, type View } from "../plan/span.ts";
import { fetchSeries } from "./fetch.ts";
import { probableKind, type Subject } from "./subject.ts";

export interface ChartSeries {
  readonly span: Span;
  /** The service's time, ms since 1970. */
  readonly now: number;
  /** Those that are there, in the order of the subjects. */
  readonly plans: readonly SeriesPlan[];
  /** Nothing of any is there yet. */
  readonly isPending: boolean;
  /** What is shown is of another time, while the right one is fetched. */
  readonly isFetching: boolean;
  readonly error: Error | null;
  readonly refetch: () => void;
}

/** While a person zooms, nothing is asked for until the hand rests so long, ms. */
const REST = 250;
/** So long what was fetched is kept after nobody looks, ms: it may be large. */
const KEPT = 60_000;
/** What the service has not recorded yet it has recorded a second or two later, ms. */
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
  // Of another time, while this one is fetched: a list of queries keeps nothing of the one that stood in its place.
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

/** Steps that end meanwhile are told by nobody, so they are asked for. @returns ms */
function pace(length: number, { device }: Subject, answered: RecordedSeries | null | undefined): number {
  if (answered && missesReturn(answered, device.connection?.state === "online")) return SOON;
  return length <= 8 * DAY ? 60_000 : 10 * 60_000;
}

/** When this page does not know of the device: it was told nothing, or that the device or its hub is away. In the service's time. */
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

/** Now by the service's clock, in steps that can be seen in a chart of that length. */
function useSteadyNow(history: History, view: View): number {
  const length = view.kind === "recent" ? view.length : view.to - view.from;
  const step = length <= HOUR ? 1000 : Math.ceil(length / HOUR) * 1000;
  // What was told within this second is not later than now.
  return Math.ceil((history.serviceTime(useNow()) + 1000) / step) * step;
}

/** The value once it has stayed the same for a while; the first at once. */
function useRested(value: string): string {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}

/** The list of before while it has the same in it. */
function useSame<T>(list: readonly T[]): readonly T[] {
  const before = useRef(list);
  if (before.current.length !== list.length || list.some((each, at) => each !== before.current[at]))
    before.current = list;
  return before.current;
}

/** Plans that are made anew only when something of them has changed: a chart is drawn far more often than that. */
interface ToldSince {
  readonly points: readonly Point[];
  readonly history: Pick<History, "serviceTime">;
  /** In the service's time. */
  readonly unknown: readonly Gap[];
  /** ms since 1970 */
  readonly now: number;
}

interface Made {
  readonly series: RecordedSeries;
  readonly points: readonly Point[];
  readonly unknown: string;
  readonly now: number;
  readonly plan: SeriesPlan;
}

class PlanCache {
  readonly #made = new Map<string, Made>();

  planOf(series: RecordedSeries, { points, history, unknown, now }: ToldSince): SeriesPlan {
    const before = this.#made.get(series.key);
    const unknownText = JSON.stringify(unknown);
    const isSame =
      before?.series === series &&
      (!series.goesOn || (before.points === points && before.unknown === unknownText && before.now === now));
    if (before && isSame) return before.plan;
    const told = points.flatMap(({ at, value }) => (at === undefined ? [] : [{ at: history.serviceTime(at), value }]));
    const plan = planOf(withTold(series, told, unknown, now), now);
    this.#made.set(series.key, { series, points, unknown: unknownText, now, plan });
    return plan;
  }
}
