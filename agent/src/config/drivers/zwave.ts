/** `drivers.zwave`: the server of one Z-Wave network, and the devices that are admitted. */
import { z } from "zod";
import { isWithoutUser } from "../setting-schemas.ts";
import { admit } from "./schemas.ts";

export const zwave = z.object({
  server: z
    .url({ protocol: /^wss?$/, error: "must be an address such as ws://127.0.0.1:3000 or wss://zwave.home:3000" })
    .refine(isWithoutUser, "must be an address without a user name or password: the Z-Wave server has none"),
  admit,
});

export type ZwaveSettings = z.output<typeof zwave>;
