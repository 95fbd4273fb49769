/** Entry of the agent's list of drivers: ESPHome devices, with the settings. Starting it loads the driver itself. */
import type { BuiltInDriver } from "@porchlight/driver-kit";
import { esphomeSettings } from "./settings.ts";

export const esphome: BuiltInDriver<typeof esphomeSettings> = {
  settings: esphomeSettings,
  start: async (settings, around) => {
    const services = (await around.network()).services("_esphomelib._tcp");
    return (await import("./esphome-driver.ts")).espHomeDriver(settings, { ...around, services });
  },
};
