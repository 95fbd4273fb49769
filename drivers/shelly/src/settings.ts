/** `drivers.shelly`: devices that the network does not announce, and the address where sleeping devices connect. */
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
