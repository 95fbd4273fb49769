/** Entry of the agent's list of drivers: Shelly devices, with the settings. Starting it loads the driver itself. */
import type { BuiltInDriver } from "@porchlight/driver-kit";
import { admit, host } from "@porchlight/driver-kit/settings";
import { secret } from "@porchlight/shared/settings";
import { z } from "zod";

export const shellySettings = z.object({
  devices: z
    .array(z.object({ host, port: z.int().min(1).max(65_535).default(80), password: secret().optional() }))
    .max(250)
    .default([]),
  admit,
  listen: z.object({ port: z.int().min(1).max(65_535), host: host.default("0.0.0.0") }).optional(),
});

export type ShellySettings = z.output<typeof shellySettings>;

export const shelly: BuiltInDriver<typeof shellySettings> = {
  settings: shellySettings,
  start: async (settings, around) => {
    const services = (await around.network()).services("_shelly._tcp");
    return (await import("./start.ts")).shellyDriver(settings, { ...around, services });
  },
};
