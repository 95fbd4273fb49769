/** Entry of the agent's list of drivers: a Z-Wave network, with the settings. Starting it loads the driver itself. */
import type { BuiltInDriver } from "@porchlight/driver-kit";
import { zwaveSettings } from "./settings.ts";

export const zwave: BuiltInDriver<typeof zwaveSettings> = {
  settings: zwaveSettings,
  shown: ({ server }) => `zwave ${new URL(server).host}`,
  start: async (settings, around) => (await import("./zwave-driver.ts")).zwaveDriver(settings, around),
};
