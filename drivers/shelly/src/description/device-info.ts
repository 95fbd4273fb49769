/** What a device says of itself to everybody (`GET /shelly`, `Shelly.GetDeviceInfo`), and whether the hub can speak to it. */
import { z } from "zod";

const short = z.string().max(128);

/** Of the second generation and later. */
export const deviceInfo = z.object({
  id: short.min(1),
  mac: z.string().regex(/^[0-9A-F]{12}$/i),
  gen: z.int().min(2),
  model: short.optional(),
  app: short.optional(),
  ver: short.optional(),
  name: short.nullish(),
  auth_en: z.boolean().default(false),
});
export type DeviceInfo = z.output<typeof deviceInfo>;

/** The first generation names its type, and no generation. */
const firstGeneration = z.object({ type: short, mac: short });

/** Firmware before this has no channel as it is spoken here. */
const OLDEST_MAJOR = 1;

export type Introduction =
  | { readonly kind: "shelly"; readonly info: DeviceInfo }
  | { readonly kind: "gen1" }
  | { readonly kind: "firmware_too_old"; readonly version: string }
  | { readonly kind: "no_shelly" };

export function introduction(json: unknown): Introduction {
  const { data: info } = deviceInfo.safeParse(json);
  if (info) {
    const major = /^([0-9]+)\./.exec(info.ver ?? "")?.[1];
    const isOld = major !== undefined && Number(major) < OLDEST_MAJOR;
    return isOld ? { kind: "firmware_too_old", version: info.ver ?? "" } : { kind: "shelly", info };
  }
  return firstGeneration.safeParse(json).success ? { kind: "gen1" } : { kind: "no_shelly" };
}
