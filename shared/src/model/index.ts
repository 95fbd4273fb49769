/** The device model: service classes, descriptions, property values. */
export * from "./catalogue.ts";
export * from "./device.ts";
export * from "./hub-driver.ts";
export * from "./hub-journal.ts";
export * from "./hub-maintenance.ts";
export * from "./property-schema.ts";
export * from "./text.ts";
export * from "./value.ts";
