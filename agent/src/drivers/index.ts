/** The front of the drivers of a home and of their management by users. */

export { type AskDrivers, DriverManager } from "./driver-manager.ts";
export type { KeptForDrivers } from "./home-drivers.ts";
export { homeDrivers } from "./home-drivers.ts";
