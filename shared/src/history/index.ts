/** The history of a property's values: how changes become statistics, and statistics the steps of a time. */
export * from "./bucket.ts";
export * from "./dense.ts";
export * from "./kind.ts";
export * from "./points.ts";
export * from "./resolution.ts";
export * from "./series.ts";
