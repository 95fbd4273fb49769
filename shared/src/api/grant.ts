/** A grant: a token, webhook or sink that gives a program or a user access to an account besides its log-ins. */
import { z } from "zod";
import { idField, timeField } from "./fields.ts";

/** Types of actors in an audit entry, which records who did what to which object, and from where. */
export const auditActors = ["account", "server", "user", "client", "service", "unknown"] as const;

export const auditEntry = z
  .object({
    id: idField("aud"),
    at: timeField,
    actor: z.object({
      type: z
        .enum(auditActors)
        .meta({ description: "`service`: the service itself; `unknown`: a caller without a valid credential" }),
      id: z.string().optional().meta({ description: "ID of the account, server, user or client" }),
      tokenId: idField("tok").optional(),
    }),
    address: z.string().optional().meta({ description: "Where the request came from", example: "192.0.2.7" }),
    action: z.string().meta({ description: "Kind of object and what was done", example: "zone.created" }),
    objectId: z.string().optional(),
    ecosystemId: idField("eco").optional(),
    detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  })
  .meta({ id: "AuditEntry" });
export type AuditEntry = z.output<typeof auditEntry>;

export const grantTypes = ["server_token", "user_token", "client_token", "webhook", "sink"] as const;

export const grant = z
  .object({
    id: z.string().meta({ description: "ID of the token or webhook; of a sink, ID of its ecosystem" }),
    type: z.enum(grantTypes).meta({ description: "`client_token`: the token of a hub" }),
    ecosystemId: idField("eco"),
    environmentId: idField("env").optional(),
    subjectId: z.string().optional().meta({ description: "ID of the server, user or client whose token it is" }),
    alias: z.string().optional().meta({ description: "Alias of the server, user or client" }),
    createdAt: timeField,
    changedAt: timeField.optional().meta({
      description: "Webhooks and sinks: when the settings were last changed, if `since` is given and it was then",
    }),
    expiresAt: timeField.optional(),
    lastUsedAt: timeField.optional().meta({ description: "Tokens only; seen up to ten seconds late" }),
    madeBy: z
      .object({ type: z.enum(auditActors), id: z.string().optional() })
      .optional()
      .meta({ description: "Who made it, or approved the hub, as the audit says; absent after 400 days" }),
    address: z.string().optional().meta({ description: "Where that request came from", example: "192.0.2.7" }),
    path: z.string().meta({ description: "A DELETE of this path ends it" }),
  })
  .meta({ id: "Grant" });
export type Grant = z.output<typeof grant>;

const count = z.int().min(0);

/** The grants that a password reset has ended, and those that it has left. */
export const passwordResetResult = z
  .object({
    addressVerified: z
      .boolean()
      .meta({ description: "True if this reset verified the address: then everything that granted access has ended" }),
    ended: z.object({
      sessions: count,
      servers: count,
      serverTokens: count,
      userTokens: count,
      clientTokens: count,
      webhooks: count,
      sinks: count,
      pendingCodes: count.meta({
        description: "Approved pairings and log-ins by code whose token was not fetched yet",
      }),
    }),
    left: z.array(grant).meta({ description: "What still grants access: the newest 100" }),
    leftCount: count.meta({ description: "How many there are in all" }),
    logIns: z
      .array(z.object({ at: timeField, address: z.string().optional() }))
      .meta({ description: "The last 20 log-ins before the reset, newest first" }),
  })
  .meta({ id: "PasswordResetResult" });
export type PasswordResetResult = z.output<typeof passwordResetResult>;
