/** Moves things between zones: shown at once, written, and back where they were, with the reason, when the service refuses. */

import { type ChangeOptions, retryOnConflict, type Tagged } from "@porchlight/sdk";
import type { Zone } from "@porchlight/shared/api";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useApi } from "../../../session/context.tsx";
import { changed, foreseen, type ItemsChange } from "./moves.ts";

export interface ItemsWrite {
  readonly changes: readonly ItemsChange[];
  /** What has been done, when it has been: "lamp is now in Kitchen." */
  readonly done: string;
}

export function useItems(environmentId: string) {
  const api = useApi();
  const queries = useQueryClient();
  const queryKey = ["zones", environmentId];
  return useMutation({
    // One after another, in the order in which they were asked for.
    scope: { id: `items-${environmentId}` },
    mutationFn: ({ changes }: ItemsWrite) => writeItems(api.zones, changes),
    onMutate: async ({ changes }) => {
      await queries.cancelQueries({ queryKey });
      queries.setQueryData<Zone[]>(queryKey, (zones) => zones && foreseen(zones, changes));
    },
    // What the service has is fetched anew after every outcome.
    onSettled: () => queries.invalidateQueries({ queryKey: ["zones"] }),
  });
}

// Writes changes of zones' items. A write replaces the whole list, so each is made to the list of the moment, and only over that one.

/** What of the SDK's zones is needed. */
export interface ItemsOfZones {
  getTagged(id: string): Promise<Tagged<{ readonly items?: readonly string[] | undefined }>>;
  update(id: string, body: { readonly items: readonly string[] }, options: ChangeOptions): Promise<string>;
}

/** One after the other; the first that fails ends it. @throws PorchlightError */
export async function writeItems(zones: ItemsOfZones, changes: readonly ItemsChange[]): Promise<void> {
  for (const change of changes) await retryOnConflict(() => writeChange(zones, change));
}

async function writeChange(zones: ItemsOfZones, change: ItemsChange): Promise<void> {
  const { value, etag } = await zones.getTagged(change.zoneId);
  const before = value.items ?? [];
  const items = changed(before, change);
  if (items !== before) await zones.update(change.zoneId, { items }, { ifMatch: etag });
}
