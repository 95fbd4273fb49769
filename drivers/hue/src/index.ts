/** Entry of the agent's list of drivers: devices behind Hue bridges, with the settings. Starting it loads the driver itself. */
import type { BuiltInDriver } from "@porchlight/driver-kit";
import { admit, hostAndPort } from "@porchlight/driver-kit/settings";
import { z } from "zod";

export const hueSettings = z.object({ bridges: z.array(hostAndPort(443)).max(16).default([]), admit });

export type HueSettings = z.output<typeof hueSettings>;

export const hue: BuiltInDriver<typeof hueSettings> = {
  settings: hueSettings,
  start: async (settings, around) => {
    const services = (await around.network()).services("_hue._tcp");
    return (await import("./start.ts")).hueDriver(settings, { ...around, services });
  },
};
