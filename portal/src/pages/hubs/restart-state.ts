/** The state of a requested restart. A hub has restarted when its agent's uptime is shorter than the time since the request. Pure. */

/** Maximum duration of a restart, in ms. */
export const RESTART_MS = 120_000;

type RestartState = "restarting" | "back" | "late";

/**
 * @param sinceMs time since the request, by one clock of the page
 * @param heard the hub's latest response: its uptime, and its time since the request; undefined without a response
 */
export function restartState(
  sinceMs: number,
  heard: { readonly uptimeMs: number; readonly sinceMs: number } | undefined,
): RestartState {
  if (heard && heard.uptimeMs < heard.sinceMs) return "back";
  return sinceMs < RESTART_MS ? "restarting" : "late";
}
