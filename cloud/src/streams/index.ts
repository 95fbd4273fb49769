/** Event streams: live events for callers that may see them. */
export { EventLog, type LogPlace } from "./event-log.ts";
export { Streams } from "./streams.ts";
