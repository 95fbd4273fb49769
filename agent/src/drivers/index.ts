/** The drivers of a home, and what people do with them. */
export type { KeptForDrivers } from "./home-drivers.ts";
export { homeDrivers } from "./home-drivers.ts";
export { type AskDrivers, DriverManager } from "./management/driver-manager.ts";
