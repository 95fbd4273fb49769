/** A zone: devices and other zones of one environment under one name, such as the rooms of a floor. */
import { z } from "zod";
import { aliasField, aliasInput, environmentInput, idField, metaField, metaInput, timeField } from "./fields.ts";

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
