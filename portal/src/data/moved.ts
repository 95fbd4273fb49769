/**
 * Whether a hub's connection is another than it was. A hub that is back before its absence counts as one makes its devices unknown and known
 * again without an event. Pure.
 */
import type { Client } from "@porchlight/shared/api";

type Connected = Pick<Client, "id"> & { readonly connection: Pick<Client["connection"], "state" | "since"> };

/** @param before the hubs as they were fetched earlier */
export function haveMoved(before: readonly Connected[], now: readonly Connected[]): boolean {
  const known = new Map(before.map(({ id, connection }) => [id, connection]));
  return now.some(({ id, connection: { state, since } }) => {
    const was = known.get(id);
    return was?.state !== state || was.since !== since;
  });
}
