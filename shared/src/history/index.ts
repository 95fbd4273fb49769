/** The history of a property's values: turns changes into statistics, and statistics into the steps of a time range. */
export * from "./bucket.ts";
export * from "./series.ts";
export * from "./steps.ts";
