/** What a hello leads to, given what is stored of the client: pure, so that every case stands in one table of tests. */
import type { CloseReason } from "@porchlight/shared/tunnel";

/** The part of a hello that is compared with the store. */
export interface HelloClaims {
  readonly edgeId: string;
  readonly publicKey: string;
  readonly logId: string;
  readonly lastNumber: number;
  readonly acknowledged: number;
  readonly inventoryDigest: string;
}

/** What the cloud knows of the client. */
export interface StoredClient {
  readonly publicKey: string | null;
  readonly edgeId: string | null;
  readonly epoch: number;
  readonly logId: string | null;
  readonly position: number;
  readonly inventoryDigest: string | null;
}

export type HelloDecision =
  | { readonly kind: "refused"; readonly reason: CloseReason }
  | {
      readonly kind: "open";
      readonly epoch: number;
      /** The history is another than the stored one: its numbers and its open commands mean nothing any more. */
      readonly newLog: boolean;
      readonly position: number;
      readonly resync: boolean;
      readonly inventory: boolean;
    };

/**
 * @param stored undefined when the client is gone
 * @param hello signed with the key that it presents
 */
export function decideHello(stored: StoredClient | undefined, hello: HelloClaims): HelloDecision {
  if (!stored) return { kind: "refused", reason: "token_revoked" };
  if (stored.publicKey !== null && stored.publicKey !== hello.publicKey)
    return { kind: "refused", reason: "wrong_key" };
  if (stored.edgeId !== null && stored.edgeId !== hello.edgeId) return { kind: "refused", reason: "wrong_edge" };
  // A history that has gone back behind what is stored of it is another history under an old name.
  const newLog = stored.logId !== hello.logId || hello.lastNumber < stored.position;
  return {
    kind: "open",
    epoch: stored.epoch + 1,
    newLog,
    position: newLog ? 0 : stored.position,
    resync: newLog || stored.position < hello.acknowledged,
    inventory: stored.inventoryDigest !== hello.inventoryDigest,
  };
}
