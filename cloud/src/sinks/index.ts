/** Sinks: property values written to a time-series database, from the event log, in the line protocol of InfluxDB. */
export { SinkDispatcher } from "./delivery/dispatcher.ts";
export type { Posts } from "./delivery/post-lines.ts";
export { Sinks } from "./management/sinks.ts";
export { sinkResource } from "./rows/sink-resource.ts";
export { findSink, SEALED_SINKS } from "./rows/sink-rows.ts";
