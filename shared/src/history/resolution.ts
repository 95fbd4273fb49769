/** The default resolution of a time range, and the steps of each resolution: pure. */
import type { HistoryResolution } from "../api/index.ts";
import { Calendar } from "../kernel/index.ts";
import { STEPS, type Step } from "./series.ts";

const DAY = 86_400_000;
const MONTH = 30 * DAY;

/** The resolution that yields some hundred points. @param rawFor how long each change is kept, ms */
export function resolutionFor(from: number, to: number, now: number, rawFor: number): HistoryResolution {
  const span = to - from;
  if (span <= DAY && from >= now - rawFor) return "raw";
  if (span <= 3 * DAY) return "5m";
  return span <= 60 * DAY ? "1h" : span <= 800 * DAY ? "1d" : "1mo";
}

/** How a resolution divides time. */
export interface Division {
  /** The kept steps that the division combines. */
  readonly step: Step;
  startOf(at: number): number;
  after(start: number): number;
}

/**
 * @param timeZone of days and months: an IANA name
 * @param from start of the time for which the division is needed: wall clock, ms
 * @throws RangeError for an unknown time zone
 */
export function divisionOf(
  resolution: Exclude<HistoryResolution, "raw">,
  timeZone: string,
  { from, to }: { readonly from: number; readonly to: number },
): Division {
  switch (resolution) {
    case "5m":
      return even("fiveMinutes");
    case "1h":
      return even("hours");
    case "1d":
    case "1mo": {
      const calendar = new Calendar(resolution === "1d" ? "day" : "month", timeZone);
      return {
        step: isWholeHours(calendar, from, to) ? "hours" : "fiveMinutes",
        startOf: (at) => calendar.startOf(at),
        after: (start) => calendar.after(start),
      };
    }
  }
}

/** Whether the zone's offsets from UTC are whole hours: a zone changes its offset at most a few times a year. */
function isWholeHours(calendar: Calendar, from: number, to: number): boolean {
  for (let at = from; at < to + MONTH; at += MONTH) if (calendar.startOf(at) % STEPS.hours !== 0) return false;
  return true;
}

function even(step: Step): Division {
  return { step, startOf: (at) => at - (at % STEPS[step]), after: (start) => start + STEPS[step] };
}
