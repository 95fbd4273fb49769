/** Entry of the agent's list of drivers: a Z-Wave network, with the settings. Starting it loads the driver itself. */
import type { BuiltInDriver } from "@porchlight/driver-kit";
import { admit, isWithoutUser } from "@porchlight/driver-kit/settings";
import { z } from "zod";

export const zwaveSettings = z.object({
  server: z
    .url({ protocol: /^wss?$/, error: "must be an address such as ws://127.0.0.1:3000 or wss://zwave.home:3000" })
    .refine(isWithoutUser, "must be an address without a user name or password: the Z-Wave server has none"),
  admit,
});

export type ZwaveSettings = z.output<typeof zwaveSettings>;

export const zwave: BuiltInDriver<typeof zwaveSettings> = {
  settings: zwaveSettings,
  shown: ({ server }) => `zwave ${new URL(server).host}`,
  start: async (settings, around) => (await import("./start.ts")).zwaveDriver(settings, around),
};
