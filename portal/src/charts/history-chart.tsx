/**
 * The history of one or several properties: a chart with its toolbar, the reading at the cursor, a table of the values, and a CSV download.
 */
import { Text } from "@mantine/core";
import type { HistoryResolution } from "@porchlight/shared/api";
import { lazy, type ReactNode, Suspense, useMemo, useState } from "react";
import { Failure } from "../kit/display/failure.tsx";
import { Loading } from "../kit/display/query-view.tsx";
import { type Column, DataTable } from "../kit/display/table.tsx";
import { momentOf } from "../kit/text/age.tsx";
import { cut } from "../kit/text/names.ts";
import { keyOf } from "../live/target.ts";
import classes from "./history-chart.module.css";
import { Legend, sentenceAt } from "./legend.tsx";
import { type ReadingRow, readingRowsOf, readingWords } from "./read-history.ts";
import { type Subject, wordsFor } from "./series-subject.ts";
import { RECENT_DAY, type View } from "./span.ts";
import { Toolbar } from "./toolbar.tsx";
import { type ChartSeries, useSeries } from "./use-series.ts";

// The text and the buttons render while the drawing code loads.
const ChartCanvas = lazy(() => import("./chart-canvas.tsx"));

interface HistoryChartProps {
  /** At least one; must be the same list while its elements are unchanged. */
  readonly subjects: readonly Subject[];
  /** The chart's accessible name: "Temperature". */
  readonly label: string;
  /** The initial view, to which a reset returns. */
  readonly view?: View | undefined;
  /** Further buttons. */
  readonly actions?: ReactNode;
  /** Shows only the time ranges, for places with many charts. */
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

interface PointTableProps {
  readonly subjects: readonly Subject[];
  readonly series: ChartSeries;
  readonly label: string;
}

interface Placed extends ReadingRow {
  readonly place: number;
}

/** The chart's data as a table: for screen readers, and for exact values. */
function PointTable({ subjects, series, label }: PointTableProps) {
  const { plans, span, now } = series;
  const rows = useMemo(
    () => readingRowsOf(plans, { from: span.from, to: span.to }).map((row, place): Placed => ({ ...row, place })),
    [plans, span.from, span.to],
  );
  if (rows.length === 0) return <Text c="dimmed">Nothing is known of this time.</Text>;
  const subjectOf = (key: string) => subjects.find(({ target }) => keyOf(target) === key);
  const columns: Column<Placed>[] = [
    { name: "From", cell: ({ at }) => <Moment at={at} now={now} /> },
    {
      name: "Until",
      cell: ({ until }) => (until === undefined || until >= now ? "" : <Moment at={until} now={now} />),
    },
    ...(subjects.length > 1
      ? [{ name: "Of", cell: ({ key }: Placed) => <bdi>{cut(subjectOf(key)?.name ?? key, 80)}</bdi>, isWide: true }]
      : []),
    {
      name: "Value",
      isWide: true,
      cell: ({ key, reading }) => {
        const subject = subjectOf(key);
        return <bdi>{readingWords(reading, subject ? wordsFor(subject) : String)}</bdi>;
      },
    },
  ];
  return <DataTable label={`Values of ${label}`} rows={rows} columns={columns} idOf={({ place }) => String(place)} />;
}

function Moment({ at, now }: { readonly at: number; readonly now: number }) {
  return <time dateTime={new Date(at).toISOString()}>{momentOf(at, now)}</time>;
}
