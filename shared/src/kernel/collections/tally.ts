/** How many there are of each key: what would otherwise be counted by a walk over everything. */
export class Tally<K> {
  readonly #counts = new Map<K, number>();

  of(key: K): number {
    return this.#counts.get(key) ?? 0;
  }

  /** @param by negative when there are fewer @returns how many there are now */
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
