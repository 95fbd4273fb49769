/** A map with a maximum size, so that a flood of keys cannot exhaust the memory. */

interface Entry<K, V> {
  readonly key: K;
  value: V;
  /** The neighbours by age; undefined at the ends. */
  older: Entry<K, V> | undefined;
  newer: Entry<K, V> | undefined;
}

/**
 * Holds at most `capacity` keys. `set` makes its key the newest, new or not; beyond the capacity the oldest key is evicted.
 *
 * The entries are linked by age, because the first key of a Map is costly to find: the Map walks over every hole that an earlier
 * deletion left at its beginning (28 µs at 100,000 keys).
 */
export class BoundedMap<K, V> implements Iterable<[K, V]> {
  readonly #capacity: number;
  readonly #onEvict: ((key: K, value: V) => void) | undefined;
  readonly #entries = new Map<K, Entry<K, V>>();
  #oldest: Entry<K, V> | undefined;
  #newest: Entry<K, V> | undefined;

  /** @param onEvict called after a key is evicted, but not after `delete` */
  constructor(capacity: number, onEvict?: (key: K, value: V) => void) {
    this.#capacity = capacity;
    this.#onEvict = onEvict;
  }

  get size(): number {
    return this.#entries.size;
  }

  has(key: K): boolean {
    return this.#entries.has(key);
  }

  /** Does not change the age of the key. */
  get(key: K): V | undefined {
    return this.#entries.get(key)?.value;
  }

  set(key: K, value: V): void {
    const known = this.#entries.get(key);
    if (known) {
      known.value = value;
      if (known === this.#newest) return;
      this.#unlink(known);
      this.#link(known);
      return;
    }
    const entry = { key, value, older: undefined, newer: undefined };
    this.#entries.set(key, entry);
    this.#link(entry);
    const oldest = this.#oldest;
    if (this.size <= this.#capacity || !oldest) return;
    this.#remove(oldest);
    this.#onEvict?.(oldest.key, oldest.value);
  }

  /** @returns whether the key existed */
  delete(key: K): boolean {
    const entry = this.#entries.get(key);
    if (entry) this.#remove(entry);
    return entry !== undefined;
  }

  clear(): void {
    this.#entries.clear();
    this.#oldest = undefined;
    this.#newest = undefined;
  }

  /** From the oldest to the newest. The caller may delete the current entry during the iteration. */
  *[Symbol.iterator](): Generator<[K, V], void, undefined> {
    for (let entry = this.#oldest; entry; ) {
      const { key, value, newer } = entry;
      yield [key, value];
      entry = newer;
    }
  }

  #remove(entry: Entry<K, V>): void {
    this.#entries.delete(entry.key);
    this.#unlink(entry);
  }

  #link(entry: Entry<K, V>): void {
    entry.older = this.#newest;
    entry.newer = undefined;
    if (this.#newest) this.#newest.newer = entry;
    else this.#oldest = entry;
    this.#newest = entry;
  }

  #unlink({ older, newer }: Entry<K, V>): void {
    if (older) older.newer = newer;
    else this.#oldest = newer;
    if (newer) newer.older = older;
    else this.#newest = older;
  }
}
