/** The history of what is pinned, with a name for each device: a chart as on a device's page, without its rarer buttons. */
import { lazy, Suspense, useMemo } from "react";
import type { View } from "../../charts/plan/span.ts";
import type { Subject } from "../../charts/series/subject.ts";
import { Loading } from "../../kit/display/query-view.tsx";
import { cut } from "../../kit/text/names.ts";
import type { PinnedCard } from "./cards.ts";
import classes from "./dashboard.module.css";
import { subjectOf, type Things } from "./use-subjects.ts";

const HistoryChart = lazy(() => import("../../charts/history-chart.tsx"));

export interface ChartCardProps {
  readonly card: PinnedCard;
  readonly things: Things;
  /** What it shows, ms. */
  readonly length: number;
}

export function ChartCard({ card, things, length }: ChartCardProps) {
  const isOfSeveral = new Set(card.properties.map(({ deviceId }) => deviceId)).size > 1;
  const found = card.properties.flatMap((target) => subjectOf(things, target, isOfSeveral) ?? []);
  const text = JSON.stringify(
    found.map(({ descriptor, ...rest }) => [
      rest,
      descriptor?.type,
      descriptor?.unit,
      descriptor?.values,
      descriptor?.access,
    ]),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text says when something of them has changed, which a new value does not
  const subjects: readonly Subject[] = useMemo(() => found, [text]);
  const view = useMemo((): View => ({ kind: "recent", length }), [length]);
  if (things.isPending) return <Loading />;
  if (subjects.length === 0) return <p className={classes.quiet}>Its devices are no longer in this environment.</p>;
  return (
    <Suspense fallback={<Loading />}>
      <HistoryChart
        // What somebody has set anew is shown at once, whatever this page had zoomed to.
        key={length}
        subjects={subjects}
        label={cut(subjects.map(({ name }) => name).join(", "), 120)}
        view={view}
        isSmall
      />
    </Suspense>
  );
}
