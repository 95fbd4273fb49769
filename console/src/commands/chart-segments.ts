/** Splits a series into stretches of time with known values; the times between them are unknown. Pure. */
import { type HistoryPoint, type HistoryResolution, type HistorySeries, parseTime } from "@porchlight/shared/api";
import { Calendar } from "@porchlight/shared/kernel";

/** ms since 1970; `to` is exclusive. */
interface Span {
  readonly from: number;
  readonly to: number;
}

export interface Stretch extends Span {
  /** The value that held, or the statistics of a step. */
  readonly point: HistoryPoint;
}

interface UnknownTime extends Span {
  readonly reason: string;
}

/** The complete series, joined from its pages. */
export interface WholeHistory {
  readonly series: HistorySeries;
  readonly resolution: HistoryResolution;
  readonly timeZone: string | undefined;
  readonly range: Span;
}

/** For an event, its occurrences as stretches without a length. */
export function stretchesOf({ series, resolution, timeZone, range }: WholeHistory): readonly Stretch[] {
  const points = series.points.flatMap((point) => {
    const from = parseTime(point.at);
    return from === undefined ? [] : [{ from, point }];
  });
  if (resolution !== "raw")
    return points.map(({ from, point }) => ({ from, to: endOf(from, resolution, timeZone), point }));
  if (series.kind === "event") return points.map(({ from, point }) => ({ from, to: from, point }));
  const { before } = series;
  const first = before && { from: range.from, point: { ...before } };
  const all = first ? [first, ...points] : points;
  const gaps = gapsOf(series, range);
  return all.flatMap(({ from, point }, index) => {
    const to = all[index + 1]?.from ?? range.to;
    // A null value makes the time after it unknown.
    return point.value === null ? [] : outside({ from, to }, gaps).map((span) => ({ ...span, point }));
  });
}

/** Oldest first; they may overlap. A gap that lasts ends with the range. */
export function gapsOf({ gaps = [] }: HistorySeries, range: Span): readonly UnknownTime[] {
  return gaps.flatMap(({ from, until, reason }) => {
    const [begin, end] = [parseTime(from), until === undefined ? range.to : parseTime(until)];
    return begin === undefined || end === undefined || end <= range.from || begin >= range.to
      ? []
      : [{ from: Math.max(begin, range.from), to: Math.min(end, range.to), reason }];
  });
}

/** The parts of a time outside all gaps. */
function outside({ from, to }: Span, gaps: readonly UnknownTime[]): readonly Span[] {
  const parts: Span[] = [];
  let begin = from;
  for (const gap of gaps) {
    if (gap.to <= begin) continue;
    if (gap.from >= to) break;
    if (gap.from > begin) parts.push({ from: begin, to: gap.from });
    begin = gap.to;
  }
  if (begin < to) parts.push({ from: begin, to });
  return parts;
}

/** End of a step. */
function endOf(at: number, resolution: Exclude<HistoryResolution, "raw">, timeZone = "UTC"): number {
  switch (resolution) {
    case "5m":
      return at + 300_000;
    case "1h":
      return at + 3_600_000;
    case "1d":
      return new Calendar("day", timeZone).after(at);
    case "1mo":
      return new Calendar("month", timeZone).after(at);
  }
}
