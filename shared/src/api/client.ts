/** A client: an installed thing that acts for an environment; here, the agent on a home hub. */
import { z } from "zod";
import { aliasField, aliasInput, environmentInput, idField, metaField, metaInput, timeField } from "./fields.ts";

export const clientConnection = z
  .object({
    state: z.enum(["online", "offline", "unknown"]),
    since: timeField,
    lastSeenAt: timeField
      .optional()
      .meta({ description: "When the service last received something from it; advances while it is online" }),
    agentVersion: z.string().optional(),
    storesScenes: z.boolean().optional().meta({
      description:
        "Whether its agent stores scenes and carries out their triggers, as its newest connection said. Absent if none has said so",
    }),
    reason: z.string().optional().meta({ description: "Why it is not connected" }),
    roundTripMs: z.number().optional(),
    clockSkewMs: z.number().optional(),
    reconnects24h: z.int().optional(),
    queuedReports: z.int().optional(),
  })
  .meta({ id: "ClientConnection" });
export type ClientConnection = z.output<typeof clientConnection>;

export const client = z
  .object({
    id: idField("cli"),
    ecosystemId: idField("eco"),
    environmentId: idField("env"),
    alias: aliasField,
    meta: metaField,
    createdAt: timeField,
    edgeId: z.string().optional(),
    connection: clientConnection,
  })
  .meta({ id: "Client" });
export type Client = z.output<typeof client>;

export const newClient = z.strictObject({ environmentId: environmentInput, alias: aliasInput, meta: metaInput });
export type NewClient = z.output<typeof newClient>;
