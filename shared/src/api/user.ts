/** A user: a person whose identity the operator's own server confirms with the operator's key. */
import { z } from "zod";
import {
  aliasField,
  aliasInput,
  ecosystemInput,
  idField,
  metaField,
  metaInput,
  textField,
  timeField,
} from "./fields.ts";

const key = textField(255).min(1).meta({
  description: "Your own unique key for the user. It can be read, is not a secret, and does not change",
  "x-missing": "User Key Missing",
});

export const user = z
  .object({
    id: idField("usr"),
    ecosystemId: idField("eco"),
    key: z.string(),
    alias: aliasField,
    meta: metaField,
    createdAt: timeField,
  })
  .meta({ id: "User" });
export type User = z.output<typeof user>;

export const newUser = z.strictObject({ key, ecosystemId: ecosystemInput, alias: aliasInput, meta: metaInput });
export type NewUser = z.output<typeof newUser>;
