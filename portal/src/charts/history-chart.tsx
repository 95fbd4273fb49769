/** The history of one or several properties: a chart with its ranges, what it tells at the cursor, a table of the same, and a file. */
import type { HistoryResolution } from "@porchlight/shared/api";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { Failure } from "../kit/display/failure.tsx";
import { Loading } from "../kit/display/query-view.tsx";
import { Toolbar } from "./controls/toolbar.tsx";
import classes from "./history-chart.module.css";
import { Legend } from "./legend.tsx";
import { RECENT_DAY, type View } from "./plan/span.ts";
import { PointTable } from "./point-table.tsx";
import type { Subject } from "./series/subject.ts";
import { useSeries } from "./series/use-series.ts";
import { sentenceAt } from "./told-words.ts";

// The words and the buttons stand while what draws is loaded.
const ChartCanvas = lazy(() => import("./chart-canvas.tsx"));

export interface HistoryChartProps {
  /** The same list while nothing of it changes. At least one. */
  readonly subjects: readonly Subject[];
  /** What it is of, for who cannot see it: "Temperature". */
  readonly label: string;
  /** What it begins with, and is reset to. */
  readonly view?: View | undefined;
  /** Further buttons. */
  readonly actions?: ReactNode;
  /** Only the ranges: where it is one of many. */
  readonly isSmall?: boolean;
}

interface Cursor {
  readonly at: number | undefined;
  readonly by: "pointer" | "key";
}

export default function HistoryChart({
  subjects,
  label,
  view: first = RECENT_DAY,
  actions,
  isSmall = false,
}: HistoryChartProps) {
  const [view, setView] = useState<View>(first);
  const [resolution, setResolution] = useState<HistoryResolution>();
  const [cursor, setCursor] = useState<Cursor>({ at: undefined, by: "pointer" });
  const [isTable, setTable] = useState(false);
  const series = useSeries(subjects, view, resolution);
  const { plans, error, isPending, span } = series;
  const at = cursor.at !== undefined && cursor.at >= span.from && cursor.at <= span.to ? cursor.at : undefined;
  return (
    <figure className={classes.figure} aria-label={`History of ${label}`}>
      <Toolbar
        {...{ subjects, view, series, resolution, isTable, isSmall, actions }}
        onView={setView}
        onReset={() => setView(first)}
        onResolution={setResolution}
        onTable={() => setTable(!isTable)}
      />
      <Legend {...{ subjects, series, at }} />
      <p className="unseen" role="status">
        {cursor.by === "key" && at !== undefined && sentenceAt(subjects, series, at)}
      </p>
      {error && <Failure error={error} retry={series.refetch} />}
      {isPending && !error && <Loading />}
      {plans.length > 0 && (
        <Suspense fallback={<Loading />}>
          <ChartCanvas
            {...{ subjects, series }}
            label={`Chart of ${label}`}
            cursor={at}
            onCursor={(time, by) => setCursor({ at: time, by })}
            onView={setView}
            onReset={() => setView(first)}
          />
        </Suspense>
      )}
      {isTable && <PointTable {...{ subjects, series, label }} />}
    </figure>
  );
}
