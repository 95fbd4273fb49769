/** Query parameters of a property read (A3). */
import { NamedError } from "../../kernel/index.ts";
import { readBoolean } from "../request/query.ts";

/** Query parameters of every read of properties. */
export const READ_QUERY = ["refresh", "maxAge"] as const;

const LONGEST_AGE = 86_400;

/** The mode of a property read. */
export type ReadAsked = { readonly kind: "cached" } | { readonly kind: "refresh"; readonly maxAgeMs?: number };

/** @param query the parameters @throws "Query Parameter Invalid" */
export function readAsked({ refresh, maxAge }: Readonly<Record<string, string | undefined>>): ReadAsked {
  const asksNow = readBoolean("refresh", refresh) ?? false;
  if (maxAge !== undefined) {
    const seconds = /^\d{1,5}$/.test(maxAge) ? Number(maxAge) : Number.POSITIVE_INFINITY;
    if (seconds > LONGEST_AGE)
      throw new NamedError(
        "Query Parameter Invalid",
        `\`maxAge\` must be a whole number of seconds from 0 to ${LONGEST_AGE}.`,
      );
    return { kind: "refresh", maxAgeMs: seconds * 1000 };
  }
  return asksNow ? { kind: "refresh" } : { kind: "cached" };
}
