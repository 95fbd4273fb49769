/** The settings of drivers, under `drivers` in the settings file: each built-in driver has a schema of its own, a package under any other name too. */
import { admit } from "@porchlight/driver-kit/settings";
import { z } from "zod";
import { BUILT_IN_DRIVERS } from "../built-in-drivers.ts";

type BuiltIn = typeof BUILT_IN_DRIVERS;
type Schemas = { readonly [Name in keyof BuiltIn]: BuiltIn[Name]["settings"] };

const schemas = Object.fromEntries(
  Object.entries(BUILT_IN_DRIVERS).map(([name, { settings }]) => [name, settings]),
) as Schemas;

/** Under any other name stand the settings of a package. */
const own = z.object(schemas).partial();

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

export type DriverSettings = z.output<typeof driverSettings>;
export type OwnSettings = z.output<typeof ofPackage>;
