/** Remembers of which strange hubs an owner has been told, so that one that keeps knocking does not fill the event log. */
import { BoundedMap } from "@porchlight/shared/kernel";

interface Stranger {
  readonly publicKey: string;
  readonly edgeId: string;
}

/** The owner is told again of the same stranger after this time, ms. */
const AGAIN_AFTER_MS = 60 * 60_000;
/** Strangers that are remembered; beyond it the longest known is forgotten. */
const MOST_STRANGERS = 1000;

export class IdentityMismatchThrottle {
  readonly #toldAt = new BoundedMap<string, number>(MOST_STRANGERS);

  /** @param now monotonic, ms */
  mayTell(clientId: string, mismatch: Stranger, now: number): boolean {
    const told = this.#toldAt.get(keyOf(clientId, mismatch));
    return told === undefined || now - told >= AGAIN_AFTER_MS;
  }

  told(clientId: string, mismatch: Stranger, now: number): void {
    if (this.mayTell(clientId, mismatch, now)) this.#toldAt.set(keyOf(clientId, mismatch), now);
  }
}

function keyOf(clientId: string, { publicKey, edgeId }: Stranger): string {
  return `${clientId} ${edgeId} ${publicKey}`;
}
