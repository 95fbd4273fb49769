/** History: past values of properties, recorded from the event log, with their retention. */

export { History, type HistoryDeps } from "./history.ts";
export { eraseHistory } from "./retention.ts";
export { retireSeries } from "./series-rows.ts";
export { bucketOf } from "./value-rows.ts";
