/** Writes changes of zones' items. A write replaces the whole list, so each is made to the list of the moment, and only over that one. */
import { type ChangeOptions, retryOnConflict, type Tagged } from "@porchlight/sdk";
import { changed, type ItemsChange } from "./moves.ts";

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
