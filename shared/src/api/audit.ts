/** An audit entry: who did what, from where, to which object. */
import { z } from "zod";
import { idField, timeField } from "./fields.ts";

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
