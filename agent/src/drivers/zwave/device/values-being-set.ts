/** Values of a node that writes are about to change: what the server reports of them meanwhile may only be expected. */
import { type ValueId, valueKey } from "../values/value-id.ts";

export class ValuesBeingSet {
  /** How many writes, by the value's name. */
  readonly #counts = new Map<string, number>();

  /** Until what it returns is called. */
  begin(ids: readonly ValueId[]): () => void {
    const keys = ids.map(valueKey);
    for (const key of keys) this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    return () => {
      for (const key of keys) {
        const left = (this.#counts.get(key) ?? 1) - 1;
        if (left > 0) this.#counts.set(key, left);
        else this.#counts.delete(key);
      }
    };
  }

  has(ids: readonly ValueId[]): boolean {
    return ids.some((id) => this.#counts.has(valueKey(id)));
  }
}
