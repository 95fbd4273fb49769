/** Plans that are made anew only when something of them has changed: a chart is drawn far more often than that. */
import type { Gap, History, Point } from "../../live/history.ts";
import { planOf, type SeriesPlan } from "../plan/plan.ts";
import { type RecordedSeries, withTold } from "../plan/series.ts";

export interface ToldSince {
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

export class PlanCache {
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
