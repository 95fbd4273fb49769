/** A log-in of an account: from the portal's form or the console's. */
import { z } from "zod";
import { idField, timeField } from "./fields.ts";

/** Length and form are not told at log-in: whatever is wrong, the log-in fails. */
export const newLogin = z.strictObject({
  email: z.string().min(1),
  password: z.string().min(1).meta({ format: "password" }),
  keepMeLoggedIn: z.boolean().optional().meta({ description: "The token does not expire" }),
  console: z.boolean().optional().meta({ description: "Makes an authentication token, which does not expire" }),
});
export type NewLogin = z.output<typeof newLogin>;

export const login = z
  .object({
    id: idField("tok"),
    type: z.enum(["account", "authentication"]),
    token: z.string(),
    expiresAt: timeField.optional(),
    accountId: idField("acc"),
  })
  .meta({ id: "Login" });
export type Login = z.output<typeof login>;

/** As the account's list of log-ins shows it. */
export const loginEntry = z
  .object({
    id: idField("tok"),
    type: z.enum(["account", "authentication"]),
    createdAt: timeField,
    expiresAt: timeField.optional(),
    address: z.string().optional(),
    userAgent: z.string().optional(),
  })
  .meta({ id: "LoginEntry" });
export type LoginEntry = z.output<typeof loginEntry>;
