/** How Z-Wave JS names a value of a node: by command class, endpoint, property and property key. Apart, because all folders use it. */
import { z } from "zod";

export interface ValueId {
  readonly commandClass: number;
  readonly endpoint: number;
  readonly property: string | number;
  readonly propertyKey?: string | number | undefined;
}

const part = z.union([z.string().max(256), z.number()]);

/** A value's name as the server sends it, with anything else that the message has. */
export const valueIdSchema = z.object({
  commandClass: z.int().min(0).max(65_535),
  endpoint: z.int().min(0).max(127).default(0),
  property: part,
  propertyKey: part.optional(),
});

/** The same text for the same value. Numbers and texts differ: parameter 3 is not the property `3`. */
export function valueKey({ commandClass, endpoint, property, propertyKey }: ValueId): string {
  return JSON.stringify([commandClass, endpoint, property, propertyKey ?? null]);
}
