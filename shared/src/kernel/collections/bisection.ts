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
