/** Sinks: property values written to a time-series database, from the event log, in the line protocol of InfluxDB. */
export { SinkDispatcher } from "./dispatcher.ts";
export type { Posts } from "./post-lines.ts";
export { findSink, SEALED_SINKS, sinkResource } from "./sink-rows.ts";
export { Sinks } from "./sinks.ts";
