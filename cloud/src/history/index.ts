/** History: what properties were, recorded from the event log, and how long it is kept. */
export { eraseHistory } from "./erase.ts";
export { History, type HistoryDeps } from "./history.ts";
export { retireSeries } from "./rows/series-rows.ts";
export { bucketOf } from "./rows/value-rows.ts";
