/** The values of one node, by their names: read whole at first, and kept up to date by the server's events. Bounded. */
import { type NodeValue, nodeValueOf, type ValueMetadata } from "./node-state.ts";
import { type ValueId, valueKey } from "./value-id.ts";

/** The content of a value now; undefined when the node has no such value, or it has no content. */
export type RawOf = (id: ValueId) => unknown;

/** Values of a node that are kept: a keypad lock with 250 codes has about 800. */
const MOST = 2000;

export class NodeValues {
  readonly #all = new Map<string, NodeValue>();

  /** @param leftAside called for each item that is not a value, or has no room */
  constructor(json: readonly unknown[], leftAside: () => void) {
    for (const each of json) if (!this.put(each)) leftAside();
  }

  get all(): readonly NodeValue[] {
    return [...this.#all.values()];
  }

  readonly raw: RawOf = (id) => this.#all.get(valueKey(id))?.raw;

  has(id: ValueId): boolean {
    return this.#all.has(valueKey(id));
  }

  /** Replaces or adds a value with its metadata. False when it is not a value, or there is no room. */
  put(json: unknown): boolean {
    const value = nodeValueOf(json);
    if (!value) return false;
    const key = valueKey(value.id);
    if (!this.#all.has(key) && this.#all.size >= MOST) return false;
    this.#all.set(key, value);
    return true;
  }

  /** What a value is has changed. False when there is no room for a new one. */
  setMetadata(id: ValueId, metadata: ValueMetadata): boolean {
    const key = valueKey(id);
    const { ccVersion = 0, className = `class ${id.commandClass}`, raw } = this.#all.get(key) ?? {};
    if (!this.#all.has(key) && this.#all.size >= MOST) return false;
    this.#all.set(key, { id, ccVersion, className, metadata, raw });
    return true;
  }

  /** Its content has changed. False when the node has no such value. */
  set(id: ValueId, raw: unknown): boolean {
    const value = this.#all.get(valueKey(id));
    if (!value) return false;
    value.raw = raw;
    return true;
  }

  remove(id: ValueId): boolean {
    return this.#all.delete(valueKey(id));
  }
}
