/** The device model: service classes, descriptions, property values. */
export * from "./bounded-value.ts";
export * from "./catalogue.ts";
export * from "./catalogue-titles.ts";
export * from "./described.ts";
export * from "./device.ts";
export * from "./hub-driver.ts";
export * from "./hub-journal.ts";
export * from "./hub-maintenance.ts";
export * from "./line-frames.ts";
export * from "./printable.ts";
export * from "./property-schema.ts";
