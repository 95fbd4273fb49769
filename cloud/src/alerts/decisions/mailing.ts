/** Whether alerts that wait are mailed now: pure. */
import type { AlertSettings } from "@porchlight/shared/api";
import { SERVICE_TIMES } from "@porchlight/shared/presentation";
import { isQuiet } from "./quiet-hours.ts";

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
