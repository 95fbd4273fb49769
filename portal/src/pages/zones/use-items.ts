/** Moves items between zones: shows the move at once, saves it, and reverts it with the reason when the service refuses. */
import { type ChangeOptions, retryOnConflict, type Tagged } from "@porchlight/sdk";
import type { Zone } from "@porchlight/shared/api";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useApi } from "../../session/context.tsx";
import { changed, foreseen, type ItemsChange } from "./tree-moves.ts";

interface ItemsWrite {
  readonly changes: readonly ItemsChange[];
  /** The message after success: "lamp is now in Kitchen." */
  readonly done: string;
}

export function useItems(environmentId: string) {
  const api = useApi();
  const queries = useQueryClient();
  const queryKey = ["zones", environmentId];
  return useMutation({
    // Runs the writes one after the other, in the order of the requests.
    scope: { id: `items-${environmentId}` },
    mutationFn: ({ changes }: ItemsWrite) => writeItems(api.zones, changes),
    onMutate: async ({ changes }) => {
      await queries.cancelQueries({ queryKey });
      queries.setQueryData<Zone[]>(queryKey, (zones) => zones && foreseen(zones, changes));
    },
    // Refetch the service's state after every outcome.
    onSettled: () => queries.invalidateQueries({ queryKey: ["zones"] }),
  });
}

/** The SDK methods for zones that the writes need. */
export interface ItemsOfZones {
  getTagged(id: string): Promise<Tagged<{ readonly items?: readonly string[] | undefined }>>;
  update(id: string, body: { readonly items: readonly string[] }, options: ChangeOptions): Promise<string>;
}

/**
 * Saves changes one after the other, and stops at the first failure. A write replaces a zone's whole item list, so each change applies to
 * the current list and overwrites only that version.
 * @throws PorchlightError
 */
export async function writeItems(zones: ItemsOfZones, changes: readonly ItemsChange[]): Promise<void> {
  for (const change of changes) await retryOnConflict(() => writeChange(zones, change));
}

async function writeChange(zones: ItemsOfZones, change: ItemsChange): Promise<void> {
  const { value, etag } = await zones.getTagged(change.zoneId);
  const before = value.items ?? [];
  const items = changed(before, change);
  if (items !== before) await zones.update(change.zoneId, { items }, { ifMatch: etag });
}
