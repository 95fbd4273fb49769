/** What a chart shows as a table: for who cannot see it, and for exact values. */
import { Text } from "@mantine/core";
import { useMemo } from "react";
import { type Column, DataTable } from "../kit/display/table.tsx";
import { momentOf } from "../kit/text/age.tsx";
import { cut } from "../kit/text/names.ts";
import { keyOf } from "../live/target.ts";
import { type ReadingRow, readingRowsOf, toldWords } from "./plan/read.ts";
import { type Subject, wordsFor } from "./series/subject.ts";
import type { ChartSeries } from "./series/use-series.ts";

export interface PointTableProps {
  readonly subjects: readonly Subject[];
  readonly series: ChartSeries;
  readonly label: string;
}

interface Placed extends ReadingRow {
  readonly place: number;
}

export function PointTable({ subjects, series, label }: PointTableProps) {
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
      cell: ({ key, told }) => {
        const subject = subjectOf(key);
        return <bdi>{toldWords(told, subject ? wordsFor(subject) : String)}</bdi>;
      },
    },
  ];
  return <DataTable label={`Values of ${label}`} rows={rows} columns={columns} idOf={({ place }) => String(place)} />;
}

function Moment({ at, now }: { readonly at: number; readonly now: number }) {
  return <time dateTime={new Date(at).toISOString()}>{momentOf(at, now)}</time>;
}
