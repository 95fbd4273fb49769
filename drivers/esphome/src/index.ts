/** ESPHome devices: the driver as the agent lists it, with its settings. The driver itself is loaded when it is started. */
import type { BuiltInDriver } from "@porchlight/driver-kit";
import { esphomeSettings } from "./settings.ts";

export const esphome: BuiltInDriver<typeof esphomeSettings> = {
  settings: esphomeSettings,
  start: async (settings, around) => {
    const services = (await around.network()).services("_esphomelib._tcp");
    return (await import("./start.ts")).espHomeDriver(settings, { ...around, services });
  },
};
