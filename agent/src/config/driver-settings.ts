/** The settings of the drivers of foreign devices: one schema each, under `drivers` in the settings file. */
import { secret } from "@porchlight/shared/settings";
import { z } from "zod";
import { edgeId, filledText, isWithoutUser } from "./setting-schemas.ts";

/** A topic, or the beginning of one: no wildcard, no empty part at either end. */
const baseTopic = z
  .string()
  .max(256)
  .regex(/^[^/+#\0](?:[^+#\0]*[^/+#\0])?$/, "must be a topic without wildcards, such as zigbee2mqtt");

/** `all`, edgeIds, or both in a list: what is admitted one by one is never among all. */
const admit = z
  .union([z.literal("all"), z.array(z.union([z.literal("all"), edgeId])).max(1000)])
  .default([])
  .transform((given) => {
    const entries = given === "all" ? [given] : given;
    return { all: entries.includes("all"), edgeIds: new Set(entries.filter((entry) => entry !== "all")) };
  });

const NO_NAME = "is not the name of a driver: mqtt, or the name of a package without `porchlight-driver-`";

const mqtt = z.object({
  broker: z
    .url({ protocol: /^mqtts?$/, error: "must be an address such as mqtt://127.0.0.1:1883 or mqtts://broker.home" })
    .refine(isWithoutUser, "must be an address without a user name or password: these are separate settings"),
  user: filledText.optional(),
  password: secret().optional(),
  ca: filledText.optional(),
  admit,
  zigbee2mqtt: z.array(baseTopic).max(16).default(["zigbee2mqtt"]),
  homeAssistant: z.array(baseTopic).max(16).default(["homeassistant"]),
  tasmota: z.boolean().default(true),
  birth: z.boolean().default(false),
  publish: z.boolean().default(false),
});

/** Of a driver in a package: whom it may have, and what its own schema checks once the package is known. */
const ofPackage = z.looseObject({ admit }).transform(({ admit: admitted, ...own }) => ({ admit: admitted, own }));

/** Under any other name stand the settings of a package. */
export const driverSettings = z
  .object({ mqtt: mqtt.optional() })
  .catchall(ofPackage)
  .superRefine((drivers, context) => {
    for (const name of Object.keys(drivers))
      if (!/^[a-z0-9][a-z0-9-]{0,63}$/.test(name)) context.addIssue({ code: "custom", path: [name], message: NO_NAME });
  });

/** What the settings say of packages, by the name of each. */
export function packageSettings(drivers: DriverSettings): ReadonlyMap<string, OwnSettings> {
  const { mqtt: _, ...others } = drivers;
  return new Map<string, OwnSettings>(Object.entries(others));
}

export type DriverSettings = z.output<typeof driverSettings>;
export type OwnSettings = z.output<typeof ofPackage>;
export type MqttSettings = z.output<typeof mqtt>;
