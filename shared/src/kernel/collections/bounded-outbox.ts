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
