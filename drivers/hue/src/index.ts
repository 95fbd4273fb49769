/** Devices behind Hue bridges: the driver as the agent lists it, with its settings. The driver itself is loaded when it is started. */
import type { BuiltInDriver } from "@porchlight/driver-kit";
import { hueSettings } from "./settings.ts";

export const hue: BuiltInDriver<typeof hueSettings> = {
  settings: hueSettings,
  start: async (settings, around) => {
    const services = (await around.network()).services("_hue._tcp");
    return (await import("./start.ts")).hueDriver(settings, { ...around, services });
  },
};
