/** Moves things between zones: shown at once, written, and back where they were, with the reason, when the service refuses. */
import type { Zone } from "@porchlight/shared/api";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useApi } from "../../../session/context.tsx";
import { foreseen, type ItemsChange } from "./moves.ts";
import { writeItems } from "./write-items.ts";

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
