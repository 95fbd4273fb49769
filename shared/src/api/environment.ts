/** An environment: one home, its zones and devices. */
import { z } from "zod";
import { aliasField, aliasInput, ecosystemInput, idField, metaField, metaInput, timeField } from "./fields.ts";

export const environment = z
  .object({
    id: idField("env"),
    ecosystemId: idField("eco"),
    alias: aliasField,
    meta: metaField,
    createdAt: timeField,
  })
  .meta({ id: "Environment" });
export type Environment = z.output<typeof environment>;

export const newEnvironment = z.strictObject({ ecosystemId: ecosystemInput, alias: aliasInput, meta: metaInput });
export type NewEnvironment = z.output<typeof newEnvironment>;

/** What a PUT of most resources can change. */
export const objectUpdate = z.strictObject({ alias: aliasInput, meta: metaInput });
export type ObjectUpdate = z.output<typeof objectUpdate>;
