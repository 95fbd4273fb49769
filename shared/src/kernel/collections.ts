/** Collections with a bound or a rule: a map and an outbox of limited size, counts per key, and the bisection of a batch. */

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

/** Items that wait to be written to a slow reader, bounded in bytes, so that one stuck reader cannot exhaust the memory. */

export class BoundedOutbox<T> {
  readonly #limit: number;
  #items: { item: T; bytes: number }[] = [];
  #head = 0;
  #bytes = 0;

  /** @param limit maximum number of waiting bytes */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get length(): number {
    return this.#items.length - this.#head;
  }

  /** Adds an item; returns false, and adds nothing, when it would exceed the limit. */
  push(item: T, bytes: number): boolean {
    if (this.#bytes + bytes > this.#limit) return false;
    this.#items.push({ item, bytes });
    this.#bytes += bytes;
    return true;
  }

  /** Removes and returns the oldest item. */
  shift(): T | undefined {
    const entry = this.#items[this.#head];
    if (!entry) return undefined;
    this.#head += 1;
    this.#bytes -= entry.bytes;
    if (this.#head > 1024 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return entry.item;
  }

  clear(): void {
    this.#items = [];
    this.#head = 0;
    this.#bytes = 0;
  }
}

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

/**
 * Halves a batch until the record that fails stands alone (bisect on error). It holds only the decisions, so that loops over a store,
 * over a receiver and inside a transaction decide alike.
 */
export class Bisection<T> {
  readonly #left: (readonly T[])[];

  constructor(batch: readonly T[]) {
    this.#left = batch.length === 0 ? [] : [batch];
  }

  /** The next part to process, in the order of the batch; undefined after the last. */
  next(): readonly T[] | undefined {
    return this.#left.shift();
  }

  /**
   * Records that a part was rejected for its content and had no effect.
   * @returns the record that stands alone, to be set aside; none while the halves of the part remain to be tried
   */
  refused(part: readonly T[]): readonly T[] {
    if (part.length === 1) return part;
    const middle = Math.ceil(part.length / 2);
    this.#left.unshift(part.slice(0, middle), part.slice(middle));
    return [];
  }
}
