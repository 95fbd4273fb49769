/** Event streams: what happens, told as it happens, to callers that may see it. */
export { EventLog, type LogPlace } from "./event-log.ts";
export { Streams } from "./streams.ts";
