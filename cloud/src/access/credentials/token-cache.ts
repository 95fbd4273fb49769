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
  /** Most subjects have one token, and no list of it: that would take as much memory as the token. */
  readonly #bySubject = new Map<string, string | string[]>();
  #revocations = 0;

  constructor(capacity: number) {
    this.#byToken = new BoundedMap(capacity, (token, { subjectId }) => this.#unlist(token, subjectId));
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
  set(given: string, principal: P, generation: number): void {
    if (generation !== this.#revocations) return;
    const token = ownText(given);
    this.#drop(token);
    this.#byToken.set(token, principal);
    const tokens = this.#bySubject.get(principal.subjectId);
    if (tokens === undefined) this.#bySubject.set(principal.subjectId, token);
    else if (typeof tokens === "string") this.#bySubject.set(principal.subjectId, [tokens, token]);
    else tokens.push(token);
  }

  forget(revocation: Revocation): void {
    this.#revocations += 1;
    if (revocation.kind === "environment" || revocation.kind === "ecosystem") this.#forgetPlace(revocation);
    for (const token of [...listOf(this.#bySubject.get(revocation.subjectId))]) {
      if (revocation.kind !== "token" || this.#byToken.get(token)?.tokenId === revocation.tokenId) this.#drop(token);
    }
  }

  /** Rare, and over at most all that is kept. */
  #forgetPlace({ kind, subjectId }: Revocation): void {
    for (const [token, { ecosystemId, environmentId }] of [...this.#byToken]) {
      if (subjectId === (kind === "ecosystem" ? ecosystemId : environmentId)) this.#drop(token);
    }
  }

  #drop(token: string): void {
    const principal = this.#byToken.get(token);
    if (!principal) return;
    this.#byToken.delete(token);
    this.#unlist(token, principal.subjectId);
  }

  #unlist(token: string, subjectId: string): void {
    const left = listOf(this.#bySubject.get(subjectId)).filter((each) => each !== token);
    const [only] = left;
    if (only === undefined) this.#bySubject.delete(subjectId);
    else this.#bySubject.set(subjectId, left.length === 1 ? only : left);
  }
}

function listOf(tokens: string | string[] | undefined): readonly string[] {
  return typeof tokens === "string" ? [tokens] : (tokens ?? []);
}
