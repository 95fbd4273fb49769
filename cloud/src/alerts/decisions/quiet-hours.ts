/** Whether it is quiet: by what a clock on the wall of the time zone shows, so that daylight saving time needs no rule of its own. */
import type { QuietHours } from "@porchlight/shared/api";

/**
 * The end does not belong to the quiet hours. An hour that the clock shows twice is the same both times; one that it leaves out
 * is over as soon as the clock has passed it.
 * @param now wall clock, ms
 */
export function isQuiet(quiet: QuietHours | null, now: number): boolean {
  if (!quiet) return false;
  const shown = clockAt(quiet.timeZone, now);
  const { start, end } = quiet;
  return start < end ? shown >= start && shown < end : shown >= start || shown < end;
}

/** As `HH:MM`, which sorts. */
function clockAt(timeZone: string, now: number): string {
  return new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(
    now,
  );
}
