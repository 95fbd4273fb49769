/** Remembers of which mismatched hubs an owner has been told, so that one that tries again and again does not fill the event log. */
import { BoundedMap } from "@porchlight/shared/kernel";

interface Mismatch {
  readonly publicKey: string;
  readonly edgeId: string;
}

/** The owner is told again of the same mismatch after this time, ms. */
const AGAIN_AFTER_MS = 60 * 60_000;
/** Mismatches that are remembered; beyond it the oldest is forgotten. */
const MOST_MISMATCHES = 1000;

export class IdentityMismatchThrottle {
  readonly #toldAt = new BoundedMap<string, number>(MOST_MISMATCHES);

  /** @param now monotonic, ms */
  mayTell(clientId: string, mismatch: Mismatch, now: number): boolean {
    const told = this.#toldAt.get(keyOf(clientId, mismatch));
    return told === undefined || now - told >= AGAIN_AFTER_MS;
  }

  told(clientId: string, mismatch: Mismatch, now: number): void {
    if (this.mayTell(clientId, mismatch, now)) this.#toldAt.set(keyOf(clientId, mismatch), now);
  }
}

function keyOf(clientId: string, { publicKey, edgeId }: Mismatch): string {
  return `${clientId} ${edgeId} ${publicKey}`;
}
