/** Publishes revocations of credentials and rights: caches drop them at once, tunnels and streams close within 5 s. */

import type { InvalidationSink } from "../nodes/index.ts";
import type { Transaction } from "../store/index.ts";

export type Revocation =
  /** One token. */
  | { readonly kind: "token"; readonly tokenId: string; readonly subjectId: string }
  /** The subject of tokens: an account's log-ins, a user, a server, a client. All its tokens end with it. */
  | { readonly kind: "subject"; readonly subjectId: string }
  /** The set of environments that a user may touch, or of ecosystems that an account may touch, has changed. */
  | { readonly kind: "access"; readonly subjectId: string }
  /** An environment or ecosystem with all its contents: every connection and stream within it, of any caller, must end. */
  | { readonly kind: "environment" | "ecosystem"; readonly subjectId: string };

/** A credential in use, its subject, and the subject's place. */
export interface Credentialed {
  readonly tokenId: string;
  /** ID of the token's subject. */
  readonly subjectId: string;
  /** Undefined for a subject outside any ecosystem. */
  readonly ecosystemId?: string | undefined;
  readonly environmentId?: string | undefined;
}

/** Whether the revocation ends this credential, its subject or the subject's place. */
export function isEndedBy(revocation: Revocation, of: Credentialed): boolean {
  switch (revocation.kind) {
    case "token":
      return of.tokenId === revocation.tokenId;
    case "subject":
    case "access":
      return of.subjectId === revocation.subjectId;
    case "environment":
      return of.environmentId === revocation.subjectId;
    case "ecosystem":
      return of.ecosystemId === revocation.subjectId;
  }
}

export type RevocationListener = (revocation: Revocation) => void;

/** The other nodes: each revocation is stored for them in its own transaction, and published with it. */
export interface RevocationsForOthers {
  store(tx: Transaction, revocation: Revocation): Promise<void>;
  readonly invalidations: Pick<InvalidationSink, "note">;
}

export class Revocations {
  readonly #listeners = new Set<RevocationListener>();
  readonly #others: RevocationsForOthers | undefined;

  /** @param others undefined on a single node */
  constructor(others?: RevocationsForOthers) {
    this.#others = others;
  }

  /** Returns a function that stops listening. */
  listen(listener: RevocationListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Revokes with this transaction: listeners on every node are notified after its commit. */
  async end(tx: Transaction, revocation: Revocation): Promise<void> {
    await this.#others?.store(tx, revocation);
    tx.afterCommit(() => {
      this.tell(revocation);
      this.#others?.invalidations.note({ kind: "ending", ending: revocation });
    });
  }

  /** Notifies the listeners on this node of a committed revocation, of this or another node. */
  tell(revocation: Revocation): void {
    for (const listener of this.#listeners) listener(revocation);
  }
}
