/** An event as streams and webhooks tell it: what changed, and in which order. */
import { z } from "zod";
import { idField, timeField } from "./fields.ts";

export const event = z
  .object({
    id: idField("evt"),
    sequence: z.int().min(1).meta({ description: "Grows by one per ecosystem, without gaps" }),
    type: z.string().meta({ example: "property.changed" }),
    createdAt: timeField,
    ecosystemId: idField("eco"),
    environmentId: idField("env").optional(),
    test: z
      .literal(true)
      .optional()
      .meta({ description: "Of an example that somebody has asked for: nothing of it has happened" }),
    data: z.json().meta({ description: "The resource, or what the type says" }),
  })
  .meta({ id: "Event" });
export type Event = z.output<typeof event>;
