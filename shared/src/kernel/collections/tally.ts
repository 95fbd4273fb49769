/** Counts per key, kept up to date instead of computed by iterating over everything. */
export class Tally<K> {
  readonly #counts = new Map<K, number>();

  of(key: K): number {
    return this.#counts.get(key) ?? 0;
  }

  /** @param by negative to decrease @returns the new count */
  add(key: K, by = 1): number {
    const count = this.of(key) + by;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
    return count;
  }

  clear(): void {
    this.#counts.clear();
  }
}
