/** Which events there are, and which of them a consumer wants. Browsers take it too, so it has no schema. */
export * from "./catalogue.ts";
export * from "./patterns.ts";
