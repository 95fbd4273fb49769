/** Alerts about faults in an ecosystem: opened and ended by periodic checks, listed, and mailed to its account. */

export { alertResource } from "./alert-store.ts";
export { AlertWatch } from "./alert-watch.ts";
export { type AlertQuery, Alerts, type AlertsDeps } from "./alerts.ts";
