/** `drivers.esphome`: devices that the network does not announce, or whose keys are in the settings. */
import { admit, host } from "@porchlight/driver-kit/settings";
import { secret } from "@porchlight/shared/settings";
import { z } from "zod";

/** In ESPHome's form: 32 bytes in base64. */
const key = secret().refine((given) => /^[A-Za-z0-9+/]{43}=$/.test(given.reveal()), {
  message: "must be the 44 characters that stand under `api: encryption: key:`",
});

export const esphomeSettings = z.object({
  devices: z
    .array(z.object({ host, port: z.int().min(1).max(65_535).default(6053), key: key.optional() }))
    .max(250)
    .default([]),
  admit,
});

export type EspHomeSettings = z.output<typeof esphomeSettings>;
