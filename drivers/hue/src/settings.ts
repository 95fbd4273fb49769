/** `drivers.hue`: bridges that the network does not announce, and the admitted devices. */
import { admit, hostAndPort } from "@porchlight/driver-kit/settings";
import { z } from "zod";

export const hueSettings = z.object({ bridges: z.array(hostAndPort(443)).max(16).default([]), admit });

export type HueSettings = z.output<typeof hueSettings>;
