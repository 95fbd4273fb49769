/** Where a restart stands that somebody has asked for: pure. A hub has restarted when its agent has run for less time than has passed. */

/** Longer than this a restart does not take, ms. */
export const RESTART_MS = 120_000;

export type RestartState = "restarting" | "back" | "late";

/**
 * @param sinceMs how long ago the hub was asked, by one clock of the page
 * @param heard the newest answer of the hub: its uptime, and how long after the question it came; undefined while there is none
 */
export function restartState(
  sinceMs: number,
  heard: { readonly uptimeMs: number; readonly sinceMs: number } | undefined,
): RestartState {
  if (heard && heard.uptimeMs < heard.sinceMs) return "back";
  return sinceMs < RESTART_MS ? "restarting" : "late";
}
