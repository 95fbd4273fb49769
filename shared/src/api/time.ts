/** Times as the API writes them: UTC, `YYYY-MM-DD HH:MM:SSZ`. */

const at = new Intl.DateTimeFormat("sv-SE", { timeZone: "UTC", dateStyle: "short", timeStyle: "medium" });

/** @param ms wall-clock time, milliseconds since 1970 UTC */
export function formatTime(ms: number): string {
  return `${at.format(ms)}Z`;
}
