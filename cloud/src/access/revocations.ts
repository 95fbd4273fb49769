/** Who is told that a credential or a right has ended: caches at once, tunnels and streams so that they close within 5 s. */

import type { InvalidationSink } from "../nodes/index.ts";
import type { Transaction } from "../store/index.ts";

export type Revocation =
  /** One token. */
  | { readonly kind: "token"; readonly tokenId: string; readonly subjectId: string }
  /** What tokens stood for: an account's log-ins, a user, a server, a client. All its tokens have ended with it. */
  | { readonly kind: "subject"; readonly subjectId: string }
  /** The environments that a user, or the ecosystems that an account, may touch are other ones now. */
  | { readonly kind: "access"; readonly subjectId: string }
  /** An environment or an ecosystem, with all that is in it: everything that is open within, of any caller, must end. */
  | { readonly kind: "environment" | "ecosystem"; readonly subjectId: string };

/** With which credential somebody came, whose it is, and where that stands. */
export interface Credentialed {
  readonly tokenId: string;
  /** ID of what the token stands for. */
  readonly subjectId: string;
  /** Undefined for what stands in none. */
  readonly ecosystemId?: string | undefined;
  readonly environmentId?: string | undefined;
}

/** Whether nothing stands any more of what was known of somebody who came with that. */
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

/** The other nodes: each revocation is stored for them in its own transaction, and told with it. */
export interface RevocationsForOthers {
  store(tx: Transaction, revocation: Revocation): Promise<void>;
  readonly invalidations: Pick<InvalidationSink, "note">;
}

export class Revocations {
  readonly #listeners = new Set<RevocationListener>();
  readonly #others: RevocationsForOthers | undefined;

  /** @param others undefined on a lone node */
  constructor(others?: RevocationsForOthers) {
    this.#others = others;
  }

  /** Gives back how to stop listening. */
  listen(listener: RevocationListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Something ends with this transaction: listeners are told after its commit, on every node. */
  async end(tx: Transaction, revocation: Revocation): Promise<void> {
    await this.#others?.store(tx, revocation);
    tx.afterCommit(() => {
      this.tell(revocation);
      this.#others?.invalidations.note({ kind: "ending", ending: revocation });
    });
  }

  /** Something has ended, by a transaction of whichever node. */
  tell(revocation: Revocation): void {
    for (const listener of this.#listeners) listener(revocation);
  }
}
