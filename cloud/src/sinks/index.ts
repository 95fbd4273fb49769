/** Sinks: property values written to a time-series database, from the event log, in the line protocol of InfluxDB. */
export { SinkDispatcher } from "./dispatcher.ts";
export type { Posts } from "./post-lines.ts";
export { Sinks } from "./sinks.ts";
export { sinkResource } from "./sink-resource.ts";
export { findSink, SEALED_SINKS } from "./sink-rows.ts";
