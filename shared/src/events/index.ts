/** The catalogue of events, and the patterns by which a consumer selects them. Browsers import it too, so it has no schema. */
export * from "./catalogue.ts";
export * from "./patterns.ts";
