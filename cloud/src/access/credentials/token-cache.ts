/** Callers by the token they present, so that a request that comes again asks the store nothing; bounded, least used out first. */
import { BoundedMap } from "@porchlight/shared/kernel";
import { ownText } from "../own-text.ts";
import { type Credentialed, isEndedBy, type Revocation } from "../revocations.ts";

export interface CachedPrincipal extends Credentialed {
  /** Wall clock, ms. */
  readonly expiresAt: number | undefined;
}

export class TokenCache<P extends CachedPrincipal> {
  readonly #byToken: BoundedMap<string, P>;
  #revocations = 0;

  constructor(capacity: number) {
    this.#byToken = new BoundedMap(capacity);
  }

  get(token: string): P | undefined {
    const found = this.#byToken.get(token);
    if (found) this.#byToken.set(token, found);
    return found;
  }

  has(token: string): boolean {
    return this.#byToken.has(token);
  }

  /** To be taken before the store is read, and handed to {@link set}. */
  get generation(): number {
    return this.#revocations;
  }

  /** Keeps what was read, unless something has ended since: the reading may be older than that. */
  set(token: string, principal: P, generation: number): void {
    if (generation === this.#revocations) this.#byToken.set(ownText(token), principal);
  }

  /** Goes through all that is kept: an end is rare, and a table by subject would take memory for every idle tunnel. */
  forget(revocation: Revocation): void {
    this.#revocations += 1;
    for (const [token, principal] of this.#byToken) if (isEndedBy(revocation, principal)) this.#byToken.delete(token);
  }
}
