/** Whether alerts that wait are mailed now: pure. */
import type { AlertSettings, QuietHours } from "@porchlight/shared/api";
import { SERVICE_TIMES } from "@porchlight/shared/presentation";

/** Between two emails with alerts to one account, ms: what opens and ends meanwhile goes out together. */
export const BETWEEN_EMAILS = SERVICE_TIMES.betweenAlertEmails;

/**
 * `wait`: they stay, and one that ends before it was mailed is not mailed at all; `drop`: the account wants no emails.
 * @param mailedAt when the last email with alerts went out, wall clock, ms; null: never
 */
export function decideMailing(settings: AlertSettings, mailedAt: number | null, now: number): "send" | "wait" | "drop" {
  if (!settings.email) return "drop";
  if (isQuiet(settings.quietHours, now)) return "wait";
  // A clock that was put back does not hold alerts up for long.
  const sinceLast = mailedAt === null ? BETWEEN_EMAILS : now - mailedAt;
  return sinceLast >= 0 && sinceLast < BETWEEN_EMAILS ? "wait" : "send";
}

// Whether it is quiet: by what a clock on the wall of the time zone shows, so that daylight saving time needs no rule of its own.

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
