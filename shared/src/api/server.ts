/** A server: a program of the operator's, with unrestricted access to its ecosystem. */
import { z } from "zod";
import { aliasField, aliasInput, ecosystemInput, idField, metaField, metaInput, timeField } from "./fields.ts";

export const server = z
  .object({
    id: idField("srv"),
    ecosystemId: idField("eco"),
    alias: aliasField,
    meta: metaField,
    createdAt: timeField,
  })
  .meta({ id: "Server" });
export type Server = z.output<typeof server>;

export const newServer = z.strictObject({ ecosystemId: ecosystemInput, alias: aliasInput, meta: metaInput });
export type NewServer = z.output<typeof newServer>;
