/** What people read alike on a page, in the console, in an e-mail and in an alert. Browsers take it too, so it has no schema. */
export { LOW_BATTERY_PERCENT } from "./battery.ts";
export { freeName, type NamelessDevice, suggestedNames } from "./suggested-names.ts";
export { timeWords, withTimes } from "./times.ts";
