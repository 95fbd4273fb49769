/** Messages of zwave-js-server, parsed: its greeting with the selection of the schema version, answers and events. */
import { jsonInTurns, type Work } from "@porchlight/driver-kit";
import { z } from "zod";

const schemaVersion = z.int().min(0).max(10_000);

const greetingSchema = z.object({
  type: z.literal("version"),
  driverVersion: z.string().max(64),
  serverVersion: z.string().max(64),
  /** Missing while the server has no controller. */
  homeId: z.int().min(0).max(0xffff_ffff).nullish(),
  minSchemaVersion: schemaVersion,
  maxSchemaVersion: schemaVersion,
});

export type Greeting = z.output<typeof greetingSchema>;

const messageId = z.string().max(64);
const resultSchema = z.discriminatedUnion("success", [
  z.object({ type: z.literal("result"), messageId, success: z.literal(true), result: z.unknown() }),
  z.object({
    type: z.literal("result"),
    ...{ messageId, success: z.literal(false) },
    errorCode: z.string().max(64),
    message: z.string().optional(),
    zwaveErrorCode: z.number().optional(),
    zwaveErrorMessage: z.string().optional(),
  }),
]);

export type ResultMessage = z.output<typeof resultSchema>;

const eventSchema = z.object({
  type: z.literal("event"),
  event: z.looseObject({ source: z.string().max(32), event: z.string().max(64) }),
});

/** Event of the driver, the controller or a node; its other members depend on the event. */
export type ServerEvent = z.output<typeof eventSchema>["event"];

type ServerMessage =
  | { readonly kind: "greeting"; readonly greeting: Greeting }
  | { readonly kind: "result"; readonly result: ResultMessage }
  | { readonly kind: "event"; readonly event: ServerEvent }
  | { readonly kind: "notJson" | "notUnderstood" };

/** Parses in slices, because the state of a network has megabytes. */
export function* serverMessage(text: string): Work<ServerMessage> {
  let json: unknown;
  try {
    json = yield* jsonInTurns(text);
  } catch {
    return { kind: "notJson" };
  }
  const event = eventSchema.safeParse(json);
  if (event.success) return { kind: "event", event: event.data.event };
  const result = resultSchema.safeParse(json);
  if (result.success) return { kind: "result", result: result.data };
  const greeting = greetingSchema.safeParse(json);
  return greeting.success ? { kind: "greeting", greeting: greeting.data } : { kind: "notUnderstood" };
}

/** Oldest version with the endpoint of a notification and the text of an error: zwave-js-server 1.32, October 2023. */
export const OLDEST_SCHEMA = 32;
/** Newest version that the driver was tested with: zwave-js-server 3.10. */
export const NEWEST_SCHEMA = 50;

/** The common version, or the reason why there is none. */
export function agreedSchema({
  minSchemaVersion: oldest,
  maxSchemaVersion: newest,
}: Pick<Greeting, "minSchemaVersion" | "maxSchemaVersion">): number | "too_old" | "too_new" {
  if (newest < OLDEST_SCHEMA) return "too_old";
  if (oldest > NEWEST_SCHEMA) return "too_new";
  return Math.min(newest, NEWEST_SCHEMA);
}
