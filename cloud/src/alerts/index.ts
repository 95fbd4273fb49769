/** Alerts about faults in an ecosystem: opened and ended by periodic checks, listed, and mailed to its account. */
export { type AlertQuery, Alerts, type AlertsDeps } from "./alerts.ts";
export { alertResource } from "./alert-store.ts";
export { AlertWatch } from "./alert-watch.ts";
