/** What waits to be written to a slow reader, bounded in bytes so that one stuck reader cannot eat the memory. */

export class BoundedOutbox<T> {
  readonly #limit: number;
  #items: { item: T; bytes: number }[] = [];
  #head = 0;
  #bytes = 0;

  /** @param limit the most bytes that may wait */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get length(): number {
    return this.#items.length - this.#head;
  }

  /** Takes an item in; false, and nothing is taken, when it would go past the limit. */
  push(item: T, bytes: number): boolean {
    if (this.#bytes + bytes > this.#limit) return false;
    this.#items.push({ item, bytes });
    this.#bytes += bytes;
    return true;
  }

  /** The oldest item, taken out. */
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
