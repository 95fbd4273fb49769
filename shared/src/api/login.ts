/** A log-in of an account: from the portal's form or the console's. */
import { z } from "zod";
import { anyEmail, knownPassword } from "./account.ts";
import { idField, timeField } from "./fields.ts";

/** Length and form are not told at log-in: the log-in fails, without a cause. */
export const newLogin = z.strictObject({
  email: anyEmail,
  password: knownPassword,
  keepMeLoggedIn: z.boolean().optional().meta({ description: "The log-in does not expire" }),
  console: z.boolean().optional().meta({ description: "Makes an authentication token, which does not expire" }),
  session: z.boolean().optional().meta({ description: "The log-in is a cookie; the answer has no `token`" }),
});
export type NewLogin = z.output<typeof newLogin>;

const type = z.enum(["account", "authentication"]);

export const login = z
  .object({
    id: idField("tok"),
    type,
    token: z.string().optional().meta({ description: "Absent with `session`" }),
    expiresAt: timeField.optional(),
    accountId: idField("acc"),
  })
  .meta({ id: "Login" });
export type Login = z.output<typeof login>;

/** An account token of 15 minutes that is part of the log-in whose cookie asked for it. */
export const sessionToken = z
  .object({ token: z.string(), expiresAt: timeField, accountId: idField("acc") })
  .meta({ id: "SessionToken" });
export type SessionToken = z.output<typeof sessionToken>;

/** As the account's list of log-ins shows it. */
export const loginEntry = z
  .object({
    id: idField("tok"),
    type,
    session: z.boolean().optional().meta({ description: "True of a browser's cookie, which is the portal's" }),
    createdAt: timeField,
    expiresAt: timeField.optional(),
    lastUsedAt: timeField.optional(),
    address: z.string().optional(),
    userAgent: z.string().optional(),
  })
  .meta({ id: "LoginEntry" });
export type LoginEntry = z.output<typeof loginEntry>;
