/** Entry of the agent's list of drivers: devices behind Hue bridges, with the settings. Starting it loads the driver itself. */
import type { BuiltInDriver } from "@porchlight/driver-kit";
import { hueSettings } from "./settings.ts";

export const hue: BuiltInDriver<typeof hueSettings> = {
  settings: hueSettings,
  start: async (settings, around) => {
    const services = (await around.network()).services("_hue._tcp");
    return (await import("./hue-driver.ts")).hueDriver(settings, { ...around, services });
  },
};
