/**
 * Identifies a value of a node as Z-Wave JS does: by command class, endpoint, property and property key. Apart, because all folders use
 * it.
 */
import { z } from "zod";

export interface ValueId {
  readonly commandClass: number;
  readonly endpoint: number;
  readonly property: string | number;
  readonly propertyKey?: string | number | undefined;
}

const part = z.union([z.string().max(256), z.number()]);

/** A value's ID as the server sends it; further members of the message are ignored. */
export const valueIdSchema = z.object({
  commandClass: z.int().min(0).max(65_535),
  endpoint: z.int().min(0).max(127).default(0),
  property: part,
  propertyKey: part.optional(),
});

/** Same text for the same value. Numbers and texts differ: parameter 3 is not the property `3`. */
export function valueKey({ commandClass, endpoint, property, propertyKey }: ValueId): string {
  return JSON.stringify([commandClass, endpoint, property, propertyKey ?? null]);
}

/** Orders values by their IDs alone: by endpoint, command class, property and key, numbers before texts. */
export function compareIds(a: ValueId, b: ValueId): number {
  return (
    a.endpoint - b.endpoint ||
    a.commandClass - b.commandClass ||
    compareParts(a.property, b.property) ||
    compareParts(a.propertyKey, b.propertyKey)
  );
}

function compareParts(a: string | number | undefined, b: string | number | undefined): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a !== typeof b) return rankOf(a) - rankOf(b);
  return String(a) < String(b) ? -1 : Number(String(a) > String(b));
}

function rankOf(part: string | number | undefined): number {
  return ["undefined", "number", "string"].indexOf(typeof part);
}
