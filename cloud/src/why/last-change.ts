/** Searches for the event that set a property's value, starting at the time of the change, over a bounded number of events. */
import { formatTime } from "@porchlight/shared/api";
import { type PropertyAddress, UNKNOWN_TIME } from "@porchlight/shared/model";
import { z } from "zod";
import { type LoggedEvent, LogReader, searchLog, sequenceAt } from "../events/index.ts";
import type { Store } from "../store/index.ts";

/** The cause in `property.changed`; kinds that this program does not know are valid. */
const change = z.object({
  item: z.object({ service: z.string(), index: z.string(), property: z.string(), modifiedAt: z.string().optional() }),
  previousValue: z.json().optional(),
  cause: z.looseObject({
    kind: z.string(),
    commandId: z.string().optional(),
    tokenId: z.string().optional(),
    sceneId: z.string().optional(),
    by: z.string().optional(),
  }),
});
export type Change = z.output<typeof change> & { readonly event: LoggedEvent };

export type LastChange =
  | { readonly kind: "found"; readonly change: Change }
  /** The events of that time are no longer stored. */
  | { readonly kind: "gone" }
  /** The search reached its maximum number of events without a match. */
  | { readonly kind: "missing" };

export interface SearchLimits {
  readonly slice: number;
  readonly most: number;
}
export const SEARCH_LIMITS: SearchLimits = { slice: 5_000, most: 50_000 };

/** Maximum difference, ms: a hub's clock may differ from the service's, and its report is stored a moment after the change. */
const SKEW = 2_000;

/**
 * @param modifiedAt wall clock, ms, when the value last changed; `UNKNOWN_TIME` when that is unknown
 * @throws "Service Unavailable"
 */
export async function lastChange(
  store: Store,
  place: { readonly ecosystemId: string; readonly deviceId: string },
  property: PropertyAddress,
  modifiedAt: number,
  { slice, most }: SearchLimits = SEARCH_LIMITS,
): Promise<LastChange> {
  const { ecosystemId, deviceId } = place;
  const { sql } = store.of(ecosystemId);
  const { oldest, newest } = await new LogReader(store).range(ecosystemId);
  const isDated = modifiedAt !== UNKNOWN_TIME;
  const from = isDated ? await sequenceAt(sql, ecosystemId, modifiedAt - SKEW) : Math.max(oldest, newest - most + 1);
  const text = isDated ? formatTime(modifiedAt) : undefined;
  let found: Change | undefined;
  for (let first = from; first <= newest && first < from + most; first += slice) {
    const last = Math.min(newest, first + slice - 1);
    const asked = { ecosystemId, first, last, order: "oldest", types: ["property.changed"], deviceId } as const;
    for (const event of await searchLog(sql, { ...asked, environmentIds: undefined, limit: slice })) {
      const { data } = change.safeParse(JSON.parse(event.data));
      if (data && isOf(property, data.item) && data.item.modifiedAt === text) found = { ...data, event };
    }
    // All matches are from the same second and so close together: later slices need no search.
    if (found) return { kind: "found", change: found };
  }
  const isKept = oldest === 1 || (isDated && from > oldest);
  return { kind: isKept ? "missing" : "gone" };
}

function isOf(property: PropertyAddress, item: PropertyAddress): boolean {
  return item.service === property.service && item.index === property.index && item.property === property.property;
}
