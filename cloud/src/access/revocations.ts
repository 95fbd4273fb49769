/** Who is told that a credential or a right has ended: caches at once, tunnels and streams so that they close within 5 s. */

export type Ending =
  /** One token. */
  | { readonly kind: "token"; readonly tokenId: string; readonly subjectId: string }
  /** What tokens stood for: an account's log-ins, a user, a server, a client. All its tokens have ended with it. */
  | { readonly kind: "subject"; readonly subjectId: string }
  /** The environments that a user, or the ecosystems that an account, may touch are other ones now. */
  | { readonly kind: "access"; readonly subjectId: string }
  /** An environment or an ecosystem, with all that is in it: whatever is open within, of whomever, is to end. */
  | { readonly kind: "environment" | "ecosystem"; readonly subjectId: string };

export type EndingListener = (ending: Ending) => void;

export class Revocations {
  readonly #listeners = new Set<EndingListener>();

  /** Gives back how to stop listening. */
  listen(listener: EndingListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** To be called in `tx.afterCommit`: before that nothing has ended. */
  tell(ending: Ending): void {
    for (const listener of this.#listeners) listener(ending);
  }
}
