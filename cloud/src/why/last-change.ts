/** The event that made a property what it is, searched for from where the value changed on, over a bounded number of events. */
import { formatTime } from "@porchlight/shared/api";
import { type PropertyAddress, UNKNOWN_TIME } from "@porchlight/shared/model";
import { z } from "zod";
import { type LoggedEvent, LogReader, searchLog, sequenceAt } from "../events/index.ts";
import type { Store } from "../store/index.ts";

/** As `property.changed` tells it; a kind that this program does not know is a kind too. */
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
  /** The events of that time are not kept any more. */
  | { readonly kind: "gone" }
  /** They were looked through, as many as one question may. */
  | { readonly kind: "missing" };

export interface SearchLimits {
  readonly slice: number;
  readonly most: number;
}
export const SEARCH_LIMITS: SearchLimits = { slice: 5_000, most: 50_000 };

/** A hub's clock may differ from the service's; what it tells is stored a moment after it was so, ms. */
const SKEW = 2_000;

/**
 * @param modifiedAt wall clock, ms, when the value last changed; `UNKNOWN_TIME`: nobody knows
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
    // Several in one second are close together.
    if (found) return { kind: "found", change: found };
  }
  const isKept = oldest === 1 || (isDated && from > oldest);
  return { kind: isKept ? "missing" : "gone" };
}

function isOf(property: PropertyAddress, item: PropertyAddress): boolean {
  return item.service === property.service && item.index === property.index && item.property === property.property;
}
