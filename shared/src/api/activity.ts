/** The activity of an ecosystem: its events, its requests, and both counted with commands and incidents in steps of time. */
import { z } from "zod";
import { idField, timeField } from "./fields.ts";

/** A page of a collection (A1.6). */
export const DEFAULT_PAGE_SIZE = 1000;
export const MAX_PAGE_SIZE = 1000;

/** Schema of a page whose items have this schema. */
export function page<T extends z.ZodType>(item: T) {
  return z.object({
    items: z.array(item),
    continuationToken: z.string().optional().meta({ description: "Absent on the last page" }),
  });
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly continuationToken?: string;
}

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

/** A page of the event log (A6.4), with events in the form that streams and webhooks send them. */
export const eventPage = page(event).extend({
  range: z.object({ first: z.int().min(1), last: z.int().min(0) }).meta({
    description: "The page has every matching event of these sequences; `last` is `first` - 1 when there are none",
  }),
  log: z.object({ oldest: z.int().min(1), newest: z.int().min(0) }).meta({
    description: "Sequences that are kept; older events were deleted. `oldest` is `newest` + 1 when none is kept",
  }),
});
export type EventPage = z.output<typeof eventPage>;

const count = z.int().min(0);

/** Outcomes of commands, and `open`: not ended yet. */
export const commandCountNames = ["confirmed", "rejected", "not_applied", "not_sent", "unknown", "open"] as const;

const commandCounts = z
  .object({
    confirmed: count,
    rejected: count,
    not_applied: count,
    not_sent: count,
    unknown: count,
    open: count.meta({ description: "Queued or sent, and not ended yet" }),
  })
  .meta({
    id: "CommandCounts",
    description: "Commands that were accepted in the step, by the outcome that is known now",
  });
export type CommandCounts = z.output<typeof commandCounts>;

const requestCounts = z
  .object({ status2xx: count, status3xx: count, status4xx: count, status5xx: count })
  .meta({ id: "RequestCounts", description: "Requests that were answered in the step, by class of their status" });
export type RequestCounts = z.output<typeof requestCounts>;

export const activityStep = z
  .object({
    since: timeField.meta({ description: "Start of the step, UTC" }),
    until: timeField.meta({ description: "End of the step (exclusive), UTC" }),
    partial: z.literal(true).optional().meta({
      description:
        "Only a part of the step is known: it has not ended, or the service did not run or lost counts in it",
    }),
    commands: commandCounts,
    requests: requestCounts.optional().meta({
      description: "Absent when they were not counted, or when one environment is asked for",
    }),
    errorRate: z.number().min(0).max(1).optional().meta({
      description: "Share of these requests that were answered with 4xx or 5xx; absent when there was none",
    }),
  })
  .meta({ id: "ActivityStep" });
export type ActivityStep = z.output<typeof activityStep>;

/** A page of activity (A6.5): steps without any data are left out. */
export const activityPage = page(activityStep).extend({
  range: z.object({ since: timeField, until: timeField }).meta({
    description: "The period of the page; a step of it that is not in `items` is unknown, not empty",
  }),
  incidents: z.array(event).meta({
    description: "The newest 100 events of the period that mark the start or the end of a problem; the newest first",
  }),
  incidentsSince: timeField.optional().meta({
    description:
      "Present when older events of the period have been deleted: incidents are known from this time on. UTC",
  }),
  moreIncidents: z.int().min(1).optional().meta({ description: "Number of older incidents in the period" }),
});
export type ActivityPage = z.output<typeof activityPage>;

/**
 * An entry of the request log: method, route and result, with the error of a failed request; never a request body, a query or a secret.
 */
export const loggedRequest = z
  .object({
    id: z.string().meta({ description: "The value of `x-request-id` in the answer", example: "0f1e2d3c4b5a-1z" }),
    at: timeField,
    method: z.string(),
    route: z.string().meta({ example: "/api/devices/:id" }),
    path: z.string().meta({ description: "The path as requested, without the query" }),
    status: z.int(),
    durationMs: z.number(),
    tokenId: idField("tok").optional(),
    problem: z.string().optional().meta({ description: "Name of the error", example: "Hub Offline" }),
    problemBody: z
      .record(z.string(), z.json())
      .optional()
      .meta({ description: "The problem document of the answer; long values are left out" }),
    commandId: idField("cmd").optional().meta({ description: "The command that it created" }),
  })
  .meta({ id: "LoggedRequest" });
export type LoggedRequest = z.output<typeof loggedRequest>;
