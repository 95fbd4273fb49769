/** Values of a node that writes are about to change: what the server reports of them meanwhile may only be expected. */
import { type ValueId, valueKey } from "../values/value-id.ts";

interface Write {
  readonly keys: ReadonlySet<string>;
  /** Called when the server reports one of the values. */
  readonly reported: () => void;
}

export class ValuesBeingSet {
  readonly #writes = new Set<Write>();

  /** Until what it returns is called. */
  begin(ids: readonly ValueId[], reported: () => void): () => void {
    const write = { keys: new Set(ids.map(valueKey)), reported };
    this.#writes.add(write);
    return () => void this.#writes.delete(write);
  }

  report(id: ValueId): void {
    const key = valueKey(id);
    for (const { keys, reported } of this.#writes) if (keys.has(key)) reported();
  }

  has(ids: readonly ValueId[]): boolean {
    return ids.some((id) => [...this.#writes].some(({ keys }) => keys.has(valueKey(id))));
  }
}
