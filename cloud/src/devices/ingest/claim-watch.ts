/** Remembers of which claims an owner has been told: a hub announces what it has on every connection, and one event is enough. */
import { BoundedMap } from "@porchlight/shared/kernel";
import type { Hub } from "../../tunnels/index.ts";

/** Claims that are remembered; beyond it the longest known is forgotten. */
const MOST_CLAIMS = 10_000;

export class ClaimWatch {
  readonly #told = new BoundedMap<string, true>(MOST_CLAIMS);

  /** Whether the owner is still to be told that the hub announces another hub's device. */
  isNew(hub: Hub, edgeId: string): boolean {
    return !this.#told.has(keyOf(hub, edgeId));
  }

  /** To be called after the commit: a job may run twice. */
  told(hub: Hub, edgeId: string): void {
    this.#told.set(keyOf(hub, edgeId), true);
  }
}

function keyOf(hub: Hub, edgeId: string): string {
  return `${hub.clientId} ${edgeId}`;
}
