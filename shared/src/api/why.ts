/** Why a property has its value: the cause, the command with the time of each hop, and the obstacles of a requested value. */
import { z } from "zod";
import { FRAME_DIRECTIONS, HUB_OUTCOMES } from "../model/index.ts";
import { idField, timeField } from "./fields.ts";
import { command, valueSource } from "./property.ts";

export const whyActor = z
  .object({
    kind: z.enum(["account", "server", "user", "local", "unknown"]).meta({
      description: "`local`: a token of the hub's own API; `unknown`: the token is not kept any more",
    }),
    id: z.string().optional().meta({ description: "ID of the account, server or user" }),
    name: z.string().optional().meta({ description: "Its `$.name`, else its alias, else its key" }),
    isDeleted: z.literal(true).optional(),
    tokenId: idField("tok").optional(),
    address: z
      .string()
      .optional()
      .meta({ description: "Where the request came from; for account and server tokens only", example: "192.0.2.7" }),
    userAgent: z.string().optional().meta({ description: "Of a log-in; for account and server tokens only" }),
  })
  .meta({ id: "WhyActor" });
export type WhyActor = z.output<typeof whyActor>;

export const whyHop = z
  .object({
    hop: z.enum(["api", "node", "tunnel", "hub", "device"]).meta({
      description:
        "`api`: the node that took the request; `node`: the one with the tunnel, if it is another; `tunnel`: there and back; `hub`: its queue and journal; `device`: driver, line and device",
    }),
    ms: z.number().min(0),
  })
  .meta({ id: "WhyHop" });

export const whyJournal = z
  .object({
    isFound: z.boolean().meta({ description: "false: the hub has no such command in its journal of the last 24 h" }),
    begunAt: timeField.optional().meta({ description: "By the hub's clock" }),
    endedAt: timeField.optional().meta({ description: "By the hub's clock" }),
    outcome: z.enum(HUB_OUTCOMES).optional(),
    detail: z.string().optional(),
  })
  .meta({ id: "WhyJournal", description: "What the hub's journal says of the command" });

export const whyFrame = z
  .object({
    at: timeField.meta({ description: "By the hub's clock" }),
    afterMs: z.number().min(0).meta({ description: "Since the first of these frames" }),
    direction: z.enum(FRAME_DIRECTIONS),
    bytes: z.int().min(0).meta({ description: "Size on the line; 0 of a damaged frame, of which nothing is kept" }),
    hex: z.string().meta({ description: "Its first 256 bytes", example: "c008190100c0" }),
    says: z.string().meta({ description: "What it says", example: "WRITE 4711: device 0, Switch:0.on = false" }),
  })
  .meta({ id: "WhyFrame", description: "A frame on the line between hub and device, as the hub has kept it" });
export type WhyFrame = z.output<typeof whyFrame>;

export const whyCommand = command
  .extend({
    by: whyActor.optional(),
    sceneId: z.string().optional().meta({ description: "The scene that gave the command" }),
    isReport: z.literal(true).optional().meta({ description: "A value of a virtual device that was reported" }),
    requestId: z.string().optional(),
    idempotencyKey: z.string().optional().meta({ description: "For account and server tokens only" }),
    durationMs: z.number().min(0).optional().meta({ description: "From when it was accepted until its end was known" }),
    hops: z.array(whyHop).optional().meta({ description: "In order; absent if they are not known" }),
    journal: whyJournal.optional().meta({ description: "Absent if the hub did not say" }),
    frames: z.array(whyFrame).optional().meta({ description: "In order; absent if the hub has none of it" }),
  })
  .meta({ id: "WhyCommand" });
export type WhyCommand = z.output<typeof whyCommand>;

export const whyCause = z
  .object({
    kind: z.string().meta({
      description:
        "`command`, `scene`, `device` (the device reported it), `local` (at home, through the hub's own API), `refresh` (it was read), `none` (no value is known) or `unknown`; more may be added",
      example: "command",
    }),
    at: timeField.optional().meta({ description: "When the service stored the change" }),
    eventId: idField("evt").optional(),
    sequence: z.int().optional(),
    previousValue: z.json().optional(),
    commandId: idField("cmd").optional(),
    sceneId: z.string().optional(),
    sceneName: z.string().optional().meta({ description: "Absent if the scene has been deleted" }),
    sceneTrigger: z.string().optional().meta({
      description:
        "Why the hub called the scene by itself: `event` (a button), `time`, `sun` or `api` (a program at home); more may be added",
    }),
    by: whyActor.optional().meta({ description: "Of a cause without a command" }),
    command: whyCommand.optional().meta({ description: "Absent when it is not kept any more" }),
    frames: z
      .array(whyFrame)
      .optional()
      .meta({ description: "Of a cause without a command, if the hub has them: of the report, or of the reading" }),
  })
  .meta({ id: "WhyCause" });

export const whyObstacle = z
  .object({
    kind: z
      .enum([
        ...(["hub_offline", "device_offline", "waiting", "under_way"] as const),
        ...(["rejected", "not_sent", "not_applied", "unknown", "superseded"] as const),
      ])
      .meta({
        description:
          "What became of the newest command, or what is unreachable now. `superseded`: it was confirmed, and the value was changed afterwards",
      }),
    since: timeField.optional().meta({ description: "Of what is offline" }),
    until: timeField.optional().meta({ description: "How long a command that waits for its hub is valid" }),
    at: timeField.optional(),
    reason: z.string().optional().meta({ description: "Why the hub is not connected" }),
    isUnsure: z
      .literal(true)
      .optional()
      .meta({ description: "The service has just started, and has not heard of the hub yet" }),
    detail: z.string().optional().meta({ description: "In the words of the device, the hub or the service" }),
    code: z.int().optional().meta({ description: "The device's own error code" }),
  })
  .meta({ id: "WhyObstacle" });

export const whyUnknown = z
  .object({
    about: z.enum(["cause", "command", "sender", "hops", "journal", "commands", "frames"]),
    detail: z.string(),
  })
  .meta({ id: "WhyUnknown" });

export const why = z
  .object({
    deviceId: idField("dev"),
    deviceName: z.string().optional(),
    service: z.string().meta({ example: "Switch" }),
    index: z.string().meta({ example: "0" }),
    property: z.string().meta({ example: "on" }),
    unit: z.string().optional(),
    value: z.json().optional().meta({ description: "Absent while it has none" }),
    modifiedAt: timeField.optional(),
    observedAt: timeField.optional(),
    source: valueSource,
    answeredAt: timeField,
    cause: whyCause,
    asked: whyCommand
      .optional()
      .meta({ description: "The newest command for the property, if the value does not come from it" }),
    obstacles: z.array(whyObstacle).meta({ description: "What is between the value and what was asked" }),
    unknown: z.array(whyUnknown).meta({ description: "What cannot be said, and why" }),
    hub: z.object({ id: idField("cli"), name: z.string() }).optional(),
  })
  .meta({ id: "Why" });
export type Why = z.output<typeof why>;
