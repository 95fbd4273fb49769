/** A map that forgets what has not been used for long, so that a flood of keys takes no more memory than there is for it. */

export class RecentMap<V> {
  readonly #capacity: number;
  /** Used since the last change of generations; a key that is not used for two of them is forgotten. */
  #young = new Map<string, V>();
  #old = new Map<string, V>();

  /** @param capacity keys of each of the two generations */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** How many keys are remembered. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }

  /** What is kept under the key; made when there is nothing. */
  get(key: string, make: () => V): V {
    const known = this.#young.get(key);
    if (known !== undefined) return known;
    const value = this.#old.get(key) ?? make();
    if (this.#young.size >= this.#capacity) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
    return value;
  }
}
