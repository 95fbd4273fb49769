/** Shelly devices: the driver as the agent lists it, with its settings. The driver itself is loaded when it is started. */
import type { BuiltInDriver } from "@porchlight/driver-kit";
import { shellySettings } from "./settings.ts";

export const shelly: BuiltInDriver<typeof shellySettings> = {
  settings: shellySettings,
  start: async (settings, around) => {
    const services = (await around.network()).services("_shelly._tcp");
    return (await import("./start.ts")).shellyDriver(settings, { ...around, services });
  },
};
