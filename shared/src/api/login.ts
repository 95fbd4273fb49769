/** A log-in of an account: by e-mail address and password, or by a code that a logged-in user approves (RFC 8628). */
import { z } from "zod";
import { anyEmail, knownPassword } from "./account.ts";
import { idField, timeField } from "./fields.ts";

/** A log-in with a password of the wrong length or form fails like any other, without a stated cause. */
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

/** An account token of 15 minutes that belongs to the log-in whose cookie requested it. */
export const sessionToken = z
  .object({ token: z.string(), expiresAt: timeField, accountId: idField("acc") })
  .meta({ id: "SessionToken" });
export type SessionToken = z.output<typeof sessionToken>;

/** A log-in in the account's list. */
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

/** All members are optional. */
export const newCodeLogIn = z.strictObject({});

/** The answer when a program starts a log-in by code: it shows one code, and polls with the other. */
export const startedCodeLogIn = z
  .object({
    deviceCode: z.string().meta({ description: "The program's secret; do not show it" }),
    userCode: z.string().meta({ description: "The code that the program shows", example: "WDJB-MJHT" }),
    verificationUri: z.string().meta({ description: "The page on which it is approved" }),
    verificationUriComplete: z.string().meta({ description: "The same page, with the code in the address" }),
    expiresIn: z.number().meta({ description: "Seconds" }),
    interval: z.number().meta({ description: "Minimum number of seconds between two polls" }),
  })
  .meta({ id: "StartedCodeLogIn" });
export type StartedCodeLogIn = z.output<typeof startedCodeLogIn>;

export const codeLogInPoll = z.strictObject({ deviceCode: z.string().min(1).max(256) });
export type CodeLogInPoll = z.output<typeof codeLogInPoll>;

/** A program that waits for the approval of its log-in. */
export const codeLogIn = z
  .object({
    userCode: z.string(),
    address: z.string().meta({ description: "The network address of the program" }),
    userAgent: z.string().optional().meta({ description: "What the program says about itself; it is not verified" }),
    createdAt: timeField,
    expiresAt: timeField,
  })
  .meta({ id: "CodeLogIn" });
export type CodeLogIn = z.output<typeof codeLogIn>;
