/** The settings of the drivers of other protocols: one schema each, under `drivers` in the settings file. */
import { z } from "zod";
import { esphome } from "./drivers/esphome.ts";
import { hue } from "./drivers/hue.ts";
import { mqtt } from "./drivers/mqtt.ts";
import { admit } from "./drivers/schemas.ts";
import { shelly } from "./drivers/shelly.ts";
import { zwave } from "./drivers/zwave.ts";

/** The agent's own drivers. Under any other name stand the settings of a package. */
const own = z.object({ mqtt, shelly, hue, zwave, esphome }).partial();

/** Their names, in the order in which documents name them. */
export const OWN_DRIVERS = Object.keys(own.shape);

const NO_NAME = `is not the name of a driver: ${OWN_DRIVERS.join(", ")}, or the name of a package without \`porchlight-driver-\``;

/** Of a driver in a package: whom it may have, and what its own schema checks once the package is known. */
const ofPackage = z
  .looseObject({ admit })
  .transform(({ admit: admitted, ...rest }) => ({ admit: admitted, own: rest }));

export const driverSettings = own.catchall(ofPackage).superRefine((drivers, context) => {
  for (const name of Object.keys(drivers))
    if (!/^[a-z0-9][a-z0-9-]{0,63}$/.test(name)) context.addIssue({ code: "custom", path: [name], message: NO_NAME });
});

/** What the settings say of packages, by the name of each. */
export function packageSettings(drivers: DriverSettings): ReadonlyMap<string, OwnSettings> {
  const others = Object.entries(drivers).filter(([name]) => !OWN_DRIVERS.includes(name));
  return new Map(others as [string, OwnSettings][]);
}

/** Of the agent's own drivers. */
export type OwnDriverSettings = z.output<typeof own>;
export type DriverSettings = z.output<typeof driverSettings>;
export type OwnSettings = z.output<typeof ofPackage>;
