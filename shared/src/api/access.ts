/** Who has access to an ecosystem: servers, users with their access entries, and the tokens of both (A1.3). */
import { z } from "zod";
import {
  aliasField,
  aliasInput,
  ecosystemInput,
  environmentInput,
  idField,
  metaField,
  metaInput,
  textField,
  timeField,
} from "./fields.ts";

/** A server: a program of the operator's, with unrestricted access to its ecosystem. */
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

const key = textField(255).min(1).meta({
  description: "Your own unique key for the user. It can be read, is not a secret, and does not change",
  "x-missing": "User Key Missing",
});

/** A user: a person whose identity the operator's own server confirms with the operator's key. */
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

/** An access entry: full access of one user to one environment. */
export const accessEntry = z
  .object({ id: idField("acs"), environmentId: idField("env"), createdAt: timeField })
  .meta({ id: "AccessEntry" });
export type AccessEntry = z.output<typeof accessEntry>;

export const newAccessEntry = z.strictObject({ environmentId: environmentInput });

const type = z.enum(["account", "authentication", "server", "user", "client"]);

/** Longest lifetime that a request may choose, seconds: a year. */
const MAX_LIFE = 31_536_000;

export const newToken = z.strictObject({});
export const newUserToken = z.strictObject({ expiresInSeconds: z.int().min(1).max(MAX_LIFE).optional() });
export type NewUserToken = z.output<typeof newUserToken>;

/** A token in a list has no member `token`, except in a server's list for an account. */
export const token = z
  .object({
    id: idField("tok"),
    type,
    token: z.string().optional(),
    createdAt: timeField,
    expiresAt: timeField.optional(),
    lastReadAt: timeField.optional().meta({
      description: "Lists of server tokens only: when a list last showed the token itself; up to a minute late",
    }),
    lastUsedAt: timeField.optional().meta({ description: "Lists only; seen up to ten seconds late" }),
    versions: z
      .array(
        z.object({
          via: z.enum(["path", "header"]).meta({ description: "Where the version was named" }),
          version: z
            .string()
            .optional()
            .meta({ description: "Absent for paths without a version, which get the newest one" }),
          firstSeenAt: timeField,
          lastSeenAt: timeField,
          count: z.int(),
        }),
      )
      .optional()
      .meta({ description: "Lists only; versions of the API that the token asked for" }),
  })
  .meta({ id: "Token" });
export type Token = z.output<typeof token>;

/** `GET /api/token`: the presented token. */
export const presentedToken = z
  .object({
    id: idField("tok"),
    type: z
      .enum([...type.options, "local"])
      .meta({ description: "`local`: created on a hub, and valid only at its own API" }),
    expiresAt: timeField.optional(),
    accountId: idField("acc").optional(),
    serverId: idField("srv").optional(),
    userId: idField("usr").optional(),
    ecosystemId: idField("eco").optional(),
  })
  .meta({ id: "PresentedToken" });
export type PresentedToken = z.output<typeof presentedToken>;
