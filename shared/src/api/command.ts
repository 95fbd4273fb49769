/** A command: a requested value of a property, and its outcome. */
import { z } from "zod";
import { idField, timeField } from "./fields.ts";

export const command = z
  .object({
    id: idField("cmd"),
    deviceId: idField("dev"),
    service: z.string(),
    index: z.string(),
    property: z.string(),
    value: z.json().meta({ description: "What was asked for" }),
    state: z.enum(["queued", "sent", "confirmed", "rejected", "failed", "expired"]),
    outcome: z.enum(["confirmed", "rejected", "not_sent", "not_applied", "unknown"]).optional(),
    sceneId: idField("scn").optional().meta({ description: "The scene whose call it is part of" }),
    sceneCommandId: idField("cmd").optional().meta({ description: "The `commandId` of that call" }),
    createdAt: timeField,
    expiresAt: timeField.meta({ description: "After this time it is no longer carried out" }),
    completedAt: timeField.optional(),
    error: z
      .object({ name: z.string(), detail: z.string(), code: z.int().optional() })
      .optional()
      .meta({ description: "Why it was not confirmed; `code` is the device's own" }),
  })
  .meta({ id: "Command" });
export type Command = z.output<typeof command>;

/** The part of a command that events carry. */
export const commandTold = command
  .extend({ tokenId: idField("tok").optional().meta({ description: "The token that gave it" }) })
  .meta({ id: "CommandTold" });
export type CommandTold = z.output<typeof commandTold>;
