/** Callers by the token they present, so that a request that comes again asks the store nothing; bounded, least used out first. */
import { BoundedMap } from "@porchlight/shared/kernel";
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
  /** Most subjects have one token: a list of one takes a third of the memory of a set. */
  readonly #bySubject = new Map<string, string[]>();
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
  set(token: string, principal: P, generation: number): void {
    if (generation !== this.#revocations) return;
    this.#drop(token);
    this.#byToken.set(token, principal);
    const tokens = this.#bySubject.get(principal.subjectId);
    if (tokens) tokens.push(token);
    else this.#bySubject.set(principal.subjectId, [token]);
  }

  forget(revocation: Revocation): void {
    this.#revocations += 1;
    if (revocation.kind === "environment" || revocation.kind === "ecosystem") this.#forgetPlace(revocation);
    for (const token of [...(this.#bySubject.get(revocation.subjectId) ?? [])]) {
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
    const tokens = this.#bySubject.get(subjectId);
    const at = tokens?.lastIndexOf(token) ?? -1;
    if (!tokens || at < 0) return;
    tokens.splice(at, 1);
    if (tokens.length === 0) this.#bySubject.delete(subjectId);
  }
}
