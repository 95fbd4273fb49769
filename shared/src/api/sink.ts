/** A sink: a time-series database that receives an ecosystem's property values in the line protocol of InfluxDB. */
import { z } from "zod";
import { idField, timeField } from "./fields.ts";

/** Longest URL and longest token, characters. */
const URL_LENGTH = 2048;
const TOKEN_LENGTH = 1024;

const settings = {
  url: z.string().max(URL_LENGTH).meta({
    description:
      "Absolute, `https`: the address that lines are posted to, with the database, bucket or organisation in its query",
    example: "https://influx.example/api/v2/write?org=home&bucket=porchlight",
  }),
  measurementPrefix: z
    .string()
    .max(64)
    .regex(/^[\w.-]*$/)
    .meta({ description: "Stands before the service class in the name of each measurement", default: "" }),
  enabled: z.boolean().meta({ description: "If false, nothing is written", default: true }),
};

export const sink = z
  .object({
    ecosystemId: idField("eco"),
    ...settings,
    hasToken: z.boolean().meta({ description: "Whether a token is stored; it is never shown" }),
    createdAt: timeField,
    behind: z.int().min(0).meta({ description: "Events of the log that it has not come past" }),
    lastDelivery: z
      .object({
        at: timeField,
        status: z.int().optional().meta({ description: "Of the answer. Absent if there was none" }),
      })
      .optional()
      .meta({ description: "The newest attempt" }),
    failingSince: timeField.optional().meta({ description: "The first failed attempt since the last success" }),
    nextAttemptAt: timeField.optional().meta({ description: "While it is failing" }),
    error: z.string().optional().meta({ description: "Why the newest attempt failed" }),
    refusedLines: z.int().min(0).meta({
      description: "Lines that the receiver refused for what they are, while it took others. They are not tried again",
    }),
    refusedError: z.string().optional().meta({ description: "What it said of the last of them" }),
    lostEvents: z.int().min(0).meta({ description: "Events that were deleted from the log before they were written" }),
    lostAt: timeField.optional().meta({ description: "When the last of them were found missing" }),
  })
  .meta({ id: "Sink" });
export type Sink = z.output<typeof sink>;

/** Members of the resource that a PUT may contain but does not change. */
export const SINK_STATUS = [
  ...["ecosystemId", "hasToken", "createdAt", "behind", "lastDelivery", "failingSince", "nextAttemptAt"],
  ...["error", "refusedLines", "refusedError", "lostEvents", "lostAt"],
] as const satisfies readonly (keyof Sink)[];

export const sinkUpdate = z.strictObject({
  url: settings.url.min(1).optional().meta({ description: "Required if the ecosystem has no sink" }),
  token: z
    .string()
    .min(1)
    .max(TOKEN_LENGTH)
    // The characters that are valid in a header.
    .regex(/^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/)
    .nullable()
    .optional()
    .meta({
      description:
        "Sent as `authorization: Token …`, or as it is when it begins with `Bearer `, `Basic ` or `Token `. null removes it. A URL with another host needs it again, or null",
    }),
  measurementPrefix: settings.measurementPrefix.optional(),
  enabled: settings.enabled.optional(),
});
export type SinkUpdate = z.output<typeof sinkUpdate>;

export const sinkTestResult = z
  .object({
    taken: z.boolean().meta({ description: "Whether the receiver answered a write without lines with 2xx" }),
    responseStatus: z.int().optional().meta({ description: "Absent if there was no answer" }),
    durationMs: z.int(),
    error: z.string().optional().meta({ description: "Why the attempt failed" }),
    responseStart: z.string().optional().meta({ description: "The first 512 characters of the answer's body" }),
  })
  .meta({ id: "SinkTestResult" });
export type SinkTestResult = z.output<typeof sinkTestResult>;
