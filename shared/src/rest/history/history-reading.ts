/** A request for history made ready to be answered: its time widened to whole steps, and how its resolution divides it. Pure. */
import type { HistoryPage, HistoryResolution } from "../../api/index.ts";
import { type Division, divisionOf } from "../../history/index.ts";
import { formatTime } from "../../kernel/index.ts";
import type { HistoryAsked } from "./history-query.ts";
import type { HistorySources } from "./history-source.ts";

export interface Reading {
  readonly asked: HistoryAsked;
  /** Wall clock, ms: inclusive, and exclusive. */
  readonly from: number;
  readonly to: number;
  readonly recordedUntil: number;
  /** Undefined of `raw`. */
  readonly division: Division | undefined;
}

type Recorded = Pick<HistorySources, "begins" | "recordedUntil">;

export function readingOf(asked: HistoryAsked, recorded: Recorded): Reading {
  const { recordedUntil } = recorded;
  const { resolution } = asked;
  if (resolution === "raw") return { asked, from: asked.from, to: asked.to, recordedUntil, division: undefined };
  const division = divisionOf(resolution, asked.timeZone, knownSpan(asked, recorded));
  const from = division.startOf(asked.from);
  const last = division.startOf(asked.to);
  const to = last === asked.to ? last : division.after(last);
  return { asked, from, to, recordedUntil, division };
}

/** What an answer says of itself besides its series. */
export function aboutOf({ asked, from, to, recordedUntil }: Reading): Omit<HistoryPage, "items" | "continuationToken"> {
  const end = Math.max(from, Math.min(to, recordedUntil));
  return {
    resolution: asked.resolution,
    ...(hasTimeZone(asked.resolution) && { timeZone: asked.timeZone }),
    range: { from: formatTime(from), to: formatTime(end) },
  };
}

/** The clocks of a zone are looked up month by month: only for the time of which something may be told. */
function knownSpan({ from, to }: HistoryAsked, { begins, recordedUntil }: Recorded) {
  const first = Math.min(Math.max(from, begins), recordedUntil);
  return { from: first, to: Math.max(first, Math.min(to, recordedUntil)) };
}

function hasTimeZone(resolution: HistoryResolution): boolean {
  return resolution === "1d" || resolution === "1mo";
}
