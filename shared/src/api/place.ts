/** The places of an ecosystem: the ecosystem itself, its environments (one home each), and the zones of an environment. */
import { z } from "zod";
import {
  aliasField,
  aliasInput,
  ecosystemInput,
  environmentInput,
  idField,
  metaField,
  metaInput,
  timeField,
  timeZoneField,
} from "./fields.ts";

/** An ecosystem: everything that one product or one operator runs, isolated from every other ecosystem. */
export const ecosystem = z
  .object({ id: idField("eco"), alias: aliasField, meta: metaField, createdAt: timeField })
  .meta({ id: "Ecosystem" });
export type Ecosystem = z.output<typeof ecosystem>;

export const newEcosystem = z.strictObject({ alias: aliasInput, meta: metaInput });
export type NewEcosystem = z.output<typeof newEcosystem>;

/** Location of a home, for sunrise and sunset. Degrees, north and east positive. */
const homeLocation = z
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

/** A zone: devices and other zones of one environment under one name, such as the rooms of a floor. */
export const zone = z
  .object({
    id: idField("zon"),
    ecosystemId: idField("eco"),
    environmentId: idField("env"),
    alias: aliasField,
    meta: metaField,
    createdAt: timeField,
    items: z
      .array(z.string())
      .optional()
      .meta({ description: "IDs of the zones and devices that it directly contains; not in the answer to a creation" }),
  })
  .meta({ id: "Zone" });
export type Zone = z.output<typeof zone>;

/** `items` in a request. The reference rules validate each entry. */
const itemsInput = z
  .array(z.unknown())
  .optional()
  .meta({
    items: { type: "string" },
    description:
      "IDs or references of zones and devices of the same environment, at most 1,000; replaces the whole list",
  });

export const newZone = z.strictObject({
  environmentId: environmentInput,
  alias: aliasInput,
  meta: metaInput,
  items: itemsInput,
});
export type NewZone = z.output<typeof newZone>;

export const zoneUpdate = z.strictObject({ alias: aliasInput, meta: metaInput, items: itemsInput });
export type ZoneUpdate = z.output<typeof zoneUpdate>;
