/** Devices of a Z-Wave network: the driver as the agent lists it, with its settings. The driver itself is loaded when it is started. */
import type { BuiltInDriver } from "@porchlight/driver-kit";
import { zwaveSettings } from "./settings.ts";

export const zwave: BuiltInDriver<typeof zwaveSettings> = {
  settings: zwaveSettings,
  shown: ({ server }) => `zwave ${new URL(server).host}`,
  start: async (settings, around) => (await import("./start.ts")).zwaveDriver(settings, around),
};
