/** The values of properties as clients read and write them (the item of the specification's 2.4), and the commands that writes create. */
import { z } from "zod";
import { idField, timeField } from "./fields.ts";

/** Present only on a value of unknown age. */
export const valueSource = z.enum(["retained"]).optional().meta({
  description:
    "`retained`: a broker has stored the value since an unknown time, and the device has not reported it since",
});

export const propertyItem = z
  .object({
    ecosystemId: idField("eco"),
    id: idField("env").meta({ description: "ID of the environment" }),
    deviceId: idField("dev"),
    service: z.string().meta({ example: "LightColor" }),
    index: z.string().meta({ example: "0" }),
    property: z.string().meta({ example: "hue" }),
    value: z.json(),
    modifiedAt: timeField.optional().meta({ description: "When the value last changed; absent with `source`" }),
    observedAt: timeField.optional().meta({ description: "When the device last confirmed it; absent with `source`" }),
    source: valueSource,
  })
  .meta({ id: "PropertyItem" });
export type PropertyItem = z.output<typeof propertyItem>;

const propertyFailure = z
  .object({
    deviceId: idField("dev"),
    service: z.string(),
    index: z.string(),
    property: z.string(),
    name: z.enum(["Hub Offline", "Hub Timeout", "Device Unreachable", "Device Rejected"]),
    detail: z.string(),
    lastKnown: z
      .object({
        value: z.json(),
        modifiedAt: timeField.optional(),
        observedAt: timeField.optional(),
        source: valueSource,
      })
      .optional()
      .meta({ description: "The last known value" }),
  })
  .meta({ id: "PropertyFailure" });
export type PropertyFailure = z.output<typeof propertyFailure>;

/** A property whose device answered a refresh with "no value at present". */
const propertyWithoutValue = z
  .object({ deviceId: idField("dev"), service: z.string(), index: z.string(), property: z.string() })
  .meta({ id: "PropertyWithoutValue" });
export type PropertyWithoutValue = z.output<typeof propertyWithoutValue>;

/** Answer to a read of properties; after a refresh `items` holds only values that were read from devices. */
export const propertyList = z.object({
  items: z.array(propertyItem),
  withoutValue: z.array(propertyWithoutValue).optional().meta({
    description:
      "After a refresh: properties whose devices have answered that they have no value; absent if there are none",
  }),
  failures: z.array(propertyFailure).optional().meta({ description: "Absent if everything succeeded" }),
});
export type PropertyList = z.output<typeof propertyList>;

const valueInput = z.json().meta({ description: "The value to set" });

export const propertyUpdate = z.strictObject({
  value: valueInput,
  report: z.boolean().optional().meta({
    description: "Report a value of a virtual device, as its own sensor would; account and server tokens only",
  }),
  ttlSeconds: z.int().min(1).max(86_400).optional().meta({
    description:
      "With `prefer: respond-async` only: how long the command is valid and waits for an offline hub; 60 by default",
  }),
});

/** A value for every instance of a property in an environment or zone. */
export const wideUpdate = z.strictObject({ value: valueInput });

export const writeFailure = propertyFailure
  .omit({ name: true })
  .extend({
    name: z.string().meta({ description: "Title of the error that a PUT of this one property would have got" }),
    outcome: z
      .enum(["rejected", "not_sent", "not_applied", "unknown"])
      .meta({ description: "What is known about the write: it decides whether a repeat is safe" }),
    code: z.int().optional().meta({ description: "The device's own error code, if it sent one" }),
    commandId: idField("cmd").optional().meta({ description: "Absent when nothing was sent" }),
  })
  .meta({ id: "WriteFailure" });
export type WriteFailure = z.output<typeof writeFailure>;

/** Answer to a write to many devices: one entry for each instance of the property. */
export const writeList = z.object({
  items: z.array(propertyItem),
  failures: z.array(writeFailure).optional().meta({ description: "Absent if everything succeeded" }),
});
export type WriteList = z.output<typeof writeList>;

/** A command: a requested value of a property, and its outcome. */
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
