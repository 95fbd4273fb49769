/** The history of a property's values: turns changes into statistics, and statistics into the steps of a time range. */
export * from "./bucket.ts";
export * from "./dense.ts";
export * from "./kind.ts";
export * from "./points.ts";
export * from "./resolution.ts";
export * from "./series.ts";
