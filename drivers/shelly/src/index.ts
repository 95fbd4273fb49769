/** Entry of the agent's list of drivers: Shelly devices, with the settings. Starting it loads the driver itself. */
import type { BuiltInDriver } from "@porchlight/driver-kit";
import { shellySettings } from "./settings.ts";

export const shelly: BuiltInDriver<typeof shellySettings> = {
  settings: shellySettings,
  start: async (settings, around) => {
    const services = (await around.network()).services("_shelly._tcp");
    return (await import("./shelly-driver.ts")).shellyDriver(settings, { ...around, services });
  },
};
