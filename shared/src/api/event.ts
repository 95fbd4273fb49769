/** An event as streams, webhooks and the event log tell it: what changed, and in which order; and a page of the log. */
import { z } from "zod";
import { idField, timeField } from "./fields.ts";
import { page } from "./page.ts";

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
      .meta({ description: "Present on an example that somebody requested: nothing in it has happened" }),
    data: z.json().meta({ description: "The object, or what the table of event types says" }),
  })
  .meta({ id: "Event" });
export type Event = z.output<typeof event>;

/** A page of the event log (A6.4). */
export const eventPage = page(event).extend({
  range: z.object({ first: z.int().min(1), last: z.int().min(0) }).meta({
    description: "The page has every matching event of these sequences; `last` is `first` - 1 when there are none",
  }),
  log: z.object({ oldest: z.int().min(1), newest: z.int().min(0) }).meta({
    description: "Sequences that are kept; older events were deleted. `oldest` is `newest` + 1 when none is kept",
  }),
});
export type EventPage = z.output<typeof eventPage>;
