/** `drivers.hue`: bridges that the network does not announce, and the devices that are admitted. */
import { z } from "zod";
import { admit, hostAndPort } from "./schemas.ts";

export const hue = z.object({ bridges: z.array(hostAndPort(443)).max(16).default([]), admit });

export type HueSettings = z.output<typeof hue>;
