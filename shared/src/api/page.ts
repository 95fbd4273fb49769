/** A page of a collection (A1.6). */
import { z } from "zod";

export const DEFAULT_PAGE_SIZE = 1000;
export const MAX_PAGE_SIZE = 1000;

/** A page of what `item` describes. */
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
