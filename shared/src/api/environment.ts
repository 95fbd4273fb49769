/** An environment: one home, its zones and devices. */
import { z } from "zod";
import {
  aliasField,
  aliasInput,
  ecosystemInput,
  idField,
  metaField,
  metaInput,
  timeField,
  timeZoneField,
} from "./fields.ts";

/** Location of a home, for sunrise and sunset. Degrees, north and east positive. */
export const homeLocation = z
  .strictObject({
    latitude: z.number().min(-90).max(90).meta({ description: "Degrees; north is positive", example: 52.5 }),
    longitude: z.number().min(-180).max(180).meta({ description: "Degrees; east is positive", example: 13.4 }),
  })
  .meta({ id: "Location" });
export type HomeLocation = z.output<typeof homeLocation>;

export const environment = z
  .object({
    id: idField("env"),
    ecosystemId: idField("eco"),
    alias: aliasField,
    meta: metaField,
    timeZone: timeZoneField
      .optional()
      .meta({ description: "IANA name of the time zone of the home", example: "Europe/Berlin" }),
    location: homeLocation.optional().meta({ description: "Where the home is" }),
    createdAt: timeField,
  })
  .meta({ id: "Environment" });
export type Environment = z.output<typeof environment>;

export const newEnvironment = z.strictObject({ ecosystemId: ecosystemInput, alias: aliasInput, meta: metaInput });
export type NewEnvironment = z.output<typeof newEnvironment>;

export const environmentUpdate = z.strictObject({
  alias: aliasInput,
  meta: metaInput,
  timeZone: timeZoneField.nullable().optional().meta({
    description: "IANA name of the time zone of the home, for scenes with times; null removes it",
    example: "Europe/Berlin",
  }),
  location: homeLocation
    .nullable()
    .optional()
    .meta({ description: "Where the home is, for scenes at sunrise and sunset; null removes it" }),
});
export type EnvironmentUpdate = z.output<typeof environmentUpdate>;

/** The members that a PUT of most resources can change. */
export const objectUpdate = z.strictObject({ alias: aliasInput, meta: metaInput });
export type ObjectUpdate = z.output<typeof objectUpdate>;
