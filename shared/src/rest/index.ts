/** How the API is served, by the cloud and by a hub at home alike. */

export * from "./driver-questions.ts";
export * from "./event-stream.ts";
export * from "./history-pages.ts";
export * from "./history-query.ts";
export * from "./history-source.ts";
export * from "./history-text.ts";
export * from "./meta.ts";
export * from "./problem.ts";
export * from "./properties/property-item.ts";
export * from "./properties/property-read.ts";
export * from "./properties/property-write.ts";
export * from "./properties/slices.ts";
export * from "./rate-limits.ts";
export * from "./references.ts";
export * from "./request/body.ts";
export * from "./request/headers.ts";
export * from "./request/paths.ts";
export * from "./request/query.ts";
export * from "./token-format.ts";
