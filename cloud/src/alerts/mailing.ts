/** Decides whether waiting alerts are mailed now; pure. */
import type { AlertSettings, QuietHours } from "@porchlight/shared/api";
import { SERVICE_TIMES } from "@porchlight/shared/presentation";

/** Interval between two alert emails to one account, ms: alerts that open and end meanwhile share the next email. */
export const BETWEEN_EMAILS = SERVICE_TIMES.betweenAlertEmails;

/**
 * `wait`: the alerts stay, and one that ends before it was mailed is never mailed; `drop`: the account wants no emails.
 * @param mailedAt time of the last alert email, wall clock, ms; null: never
 */
export function decideMailing(settings: AlertSettings, mailedAt: number | null, now: number): "send" | "wait" | "drop" {
  if (!settings.email) return "drop";
  if (isQuiet(settings.quietHours, now)) return "wait";
  // A clock that was set back does not delay alerts for long.
  const sinceLast = mailedAt === null ? BETWEEN_EMAILS : now - mailedAt;
  return sinceLast >= 0 && sinceLast < BETWEEN_EMAILS ? "wait" : "send";
}

/**
 * Whether the quiet hours apply, by local time in their time zone, so that daylight saving time needs no rule of its own. The end
 * is exclusive. An hour that occurs twice is treated alike both times; a limit in a skipped hour takes effect right after it.
 * @param now wall clock, ms
 */
export function isQuiet(quiet: QuietHours | null, now: number): boolean {
  if (!quiet) return false;
  const shown = clockAt(quiet.timeZone, now);
  const { start, end } = quiet;
  return start < end ? shown >= start && shown < end : shown >= start || shown < end;
}

/** Local time as `HH:MM`, which sorts. */
function clockAt(timeZone: string, now: number): string {
  return new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(
    now,
  );
}
