/** References that have been resolved, so that the hot paths ask the store nothing; bounded, and cleared by what could change an answer. */
import { BoundedMap } from "@porchlight/shared/kernel";
import { ownText } from "../own-text.ts";

export class ReferenceCache<R extends { readonly ecosystemId: string }> {
  readonly #byText: BoundedMap<string, R>;
  readonly #byEcosystem = new Map<string, Set<string>>();
  #changes = 0;

  constructor(capacity: number) {
    this.#byText = new BoundedMap(capacity, (key, { ecosystemId }) => this.#evicted(key, ecosystemId));
  }

  get(key: string): R | undefined {
    return this.#byText.get(key);
  }

  /** To be taken before the store is read, and handed to {@link set}. */
  get generation(): number {
    return this.#changes;
  }

  /** Keeps what was read, unless something has changed since. */
  set(given: string, resolved: R, generation: number): void {
    if (generation !== this.#changes || this.#byText.has(given)) return;
    const key = ownText(given);
    this.#byText.set(key, resolved);
    const keys = this.#byEcosystem.get(resolved.ecosystemId);
    if (keys) keys.add(key);
    else this.#byEcosystem.set(resolved.ecosystemId, new Set([key]));
  }

  /** Something of the ecosystem has gone or has another alias. To be called in `tx.afterCommit`. */
  forget(ecosystemId: string): void {
    this.#changes += 1;
    for (const key of this.#byEcosystem.get(ecosystemId) ?? []) this.#byText.delete(key);
    this.#byEcosystem.delete(ecosystemId);
  }

  #evicted(key: string, ecosystemId: string): void {
    const keys = this.#byEcosystem.get(ecosystemId);
    keys?.delete(key);
    if (keys?.size === 0) this.#byEcosystem.delete(ecosystemId);
  }
}
