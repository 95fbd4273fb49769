/** `drivers.zwave`: the server of one Z-Wave network, and the admitted devices. */
import { admit, isWithoutUser } from "@porchlight/driver-kit/settings";
import { z } from "zod";

export const zwaveSettings = z.object({
  server: z
    .url({ protocol: /^wss?$/, error: "must be an address such as ws://127.0.0.1:3000 or wss://zwave.home:3000" })
    .refine(isWithoutUser, "must be an address without a user name or password: the Z-Wave server has none"),
  admit,
});

export type ZwaveSettings = z.output<typeof zwaveSettings>;
