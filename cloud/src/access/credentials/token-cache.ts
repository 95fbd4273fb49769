/** Callers by the token they present, so that a request that comes again asks the store nothing; bounded, least used out first. */
import { BoundedMap } from "@porchlight/shared/kernel";
import { ownText } from "../own-text.ts";
import type { Revocation } from "../revocations.ts";

export interface CachedPrincipal {
  readonly tokenId: string;
  /** ID of what the token stands for. */
  readonly subjectId: string;
  /** Where what the token stands for is; undefined for what stands in none. */
  readonly ecosystemId?: string | undefined;
  readonly environmentId?: string | undefined;
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
    for (const [token, principal] of this.#byToken) if (isEnded(principal, revocation)) this.#byToken.delete(token);
  }
}

function isEnded({ tokenId, subjectId, ecosystemId, environmentId }: CachedPrincipal, revocation: Revocation): boolean {
  if (revocation.kind === "token") return tokenId === revocation.tokenId;
  const ended = revocation.subjectId;
  if (revocation.kind === "ecosystem" && ecosystemId === ended) return true;
  if (revocation.kind === "environment" && environmentId === ended) return true;
  return subjectId === ended;
}
