/**
 * Frames between a hub and a device for one property: the newest exchanges that the hub keeps, in the form in which it reports them.
 * Its own file because only our own device protocol has these frames.
 */
import { z } from "zod";
import { MAX_VALUE_BYTES, MAX_VALUE_DEPTH, valueBreach } from "./bounded-value.ts";
import { limitProblem, type PropertyDescription } from "./property-schema.ts";

/** Number of exchanges that a hub keeps for one property, the newest. */
export const MOST_EXCHANGES = 8;
/** Frames of one exchange: tries, copies and answers. */
export const MOST_FRAMES_OF_EXCHANGE = 16;
/** Reported bytes of a frame; the rest of a longer frame is left out. */
export const MOST_FRAME_BYTES = 256;
/** Longest description of a frame, characters. */
export const LONGEST_FRAME_WORDS = 160;
/** Size of all frames reported for one property, as JSON; the oldest are left out, so that it fits one message of the tunnel. */
export const MOST_FRAMES_JSON = 64 * 1024;

/** Whether the hub sent the frame to the device, or received it from there. */
export const FRAME_DIRECTIONS = ["to_device", "from_device"] as const;

export const lineFrame = z.object({
  /** Time by the hub's clock. */
  at: z.number().min(-8.64e15).max(8.64e15),
  direction: z.enum(FRAME_DIRECTIONS),
  /** Size of the whole frame on the line; 0 for a damaged frame, of which no bytes are kept. */
  bytes: z.int().min(0).max(16_384),
  hex: z
    .string()
    .regex(/^(?:[0-9a-f]{2})*$/)
    .max(2 * MOST_FRAME_BYTES),
  says: z.string().max(LONGEST_FRAME_WORDS),
});
export type LineFrame = z.output<typeof lineFrame>;

export const keptExchange = z.object({
  kind: z.enum(["read", "write", "report"]),
  /** The command that the exchange carries out. */
  command: z.string().max(64).optional(),
  /** The value that the device reported; absent when it reported none. */
  value: z
    .custom<Value>((given) => valueBreach(given) === undefined, "is no JSON value, or one past its bounds")
    .optional(),
  frames: z.array(lineFrame).max(MOST_FRAMES_OF_EXCHANGE),
});
export type KeptExchange = z.output<typeof keptExchange>;

/** `off`: frames are disabled on the hub. `since`: wall-clock ms of the hub since which it keeps them. Newest exchange first. */
export const keptFrames = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("off") }),
  z.object({
    kind: z.literal("kept"),
    since: z.number().min(-8.64e15).max(8.64e15),
    exchanges: z.array(keptExchange).max(MOST_EXCHANGES),
  }),
]);
export type KeptFrames = z.output<typeof keptFrames>;

/** Any JSON value. `null` stands for "no value at present". */
export type Value = null | boolean | number | string | readonly Value[] | { readonly [key: string]: Value };

/** Whether a value has the described type, regardless of its range: a device may report values outside it. */
export function hasType(description: PropertyDescription, value: Value): boolean {
  switch (description.type) {
    case "boolean":
      return typeof value === "boolean";
    case "integer":
      return Number.isSafeInteger(value);
    case "number":
      return typeof value === "number" && Number.isFinite(value);
    case "string":
      return typeof value === "string";
    case "json":
      return value !== null;
  }
}

/** Why a client may not set this value, as a sentence; undefined when it may. */
export function valueProblem(description: PropertyDescription, value: Value): string | undefined {
  const { type, values } = description;
  if (!hasType(description, value)) return `The value must be of type ${type}.`;
  const broken = typeof value === "number" ? limitProblem(description, value) : undefined;
  if (broken) return broken;
  if (values && !values.some((allowed) => allowed === value)) return `The value must be one of ${values.join(", ")}.`;
  const breach = valueBreach(value);
  if (breach === "bad_text") return "The value has a character that is not allowed in text.";
  if (breach === "too_deep") return `The value is nested deeper than ${MAX_VALUE_DEPTH} levels.`;
  return breach && `The value is larger than ${MAX_VALUE_BYTES} bytes.`;
}

/** Deep equality of JSON values; object keys in any order. */
export function valuesEqual(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = Object.entries(a);
  const right = b as Readonly<Record<string, Value>>;
  return (
    left.length === Object.keys(right).length &&
    left.every(([key, value]) => Object.hasOwn(right, key) && valuesEqual(value, right[key] ?? null))
  );
}

/**
 * Stands for the observation time of a value that another party, such as a broker, has retained since an unknown time. The time of the
 * last change of such a value is unknown too.
 */
export const UNKNOWN_TIME = -1;
