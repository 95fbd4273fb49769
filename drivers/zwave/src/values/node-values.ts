/** The values of one node, by key: read completely at first, then updated by the server's events. Bounded. */
import { type NodeValue, nodeValueOf, type ValueMetadata } from "./node-state.ts";
import { type ValueId, valueKey } from "./value-id.ts";

/** Current content of a value; undefined when the node has no such value, or the value has no content. */
export type RawOf = (id: ValueId) => unknown;

/** Maximum values of a node: a keypad lock with 250 codes has about 800. */
const MOST = 2000;
/** Multilevel Sensor, Meter, Thermostat Setpoint, Energy Production: classes whose reports contain a unit beside the number. */
const MEASURED: ReadonlySet<number> = new Set([49, 50, 67, 144]);
/**
 * A report arrives as two events, its unit and its number, in either order; events within this time belong together, ms. A number is
 * reported only after this time, and another unit invalidates an older number.
 */
export const PAIR_MS = 100;

/** `other unit`: the previous number is not in the current unit. `full`: there is no room for a new value. */
export type MetadataChange = "kept" | "other unit" | "full";

/** Whether the metadata of the value contains the unit of its number. */
export function isMeasured({ commandClass }: Pick<ValueId, "commandClass">): boolean {
  return MEASURED.has(commandClass);
}

export class NodeValues {
  readonly #all = new Map<string, NodeValue>();

  /** @param leftAside called for each item that is invalid or exceeds the limit */
  constructor(json: readonly unknown[], leftAside: () => void) {
    for (const [at, each] of json.entries()) if (at >= MOST || !this.put(each)) leftAside();
  }

  get all(): readonly NodeValue[] {
    return [...this.#all.values()];
  }

  readonly raw: RawOf = (id) => this.#all.get(valueKey(id))?.raw;

  has(id: ValueId): boolean {
    return this.#all.has(valueKey(id));
  }

  /** Adds or replaces a value with its metadata. Returns false when it is invalid or there is no room. */
  put(json: unknown): boolean {
    const value = nodeValueOf(json);
    if (!value) return false;
    const key = valueKey(value.id);
    if (!this.#all.has(key) && this.#all.size >= MOST) return false;
    this.#all.set(key, value);
    return true;
  }

  /** Replaces the metadata of a value. @param at on the clock's monotonic time */
  setMetadata(id: ValueId, metadata: ValueMetadata, at: number): MetadataChange {
    const key = valueKey(id);
    const known = this.#all.get(key);
    if (!known) {
      if (this.#all.size >= MOST) return "full";
      this.#all.set(key, { id, ccVersion: 0, className: `class ${id.commandClass}`, metadata, raw: undefined });
      return "kept";
    }
    const isOther = isMeasured(id) && !hasSameUnit(known.metadata, metadata);
    known.metadata = metadata;
    if (!isOther) return "kept";
    if (known.cameAt === undefined || at - known.cameAt > PAIR_MS) known.raw = null;
    return "other unit";
  }

  /** Replaces the content of a value. Returns false when the node has no such value. @param at on the clock's monotonic time */
  set(id: ValueId, raw: unknown, at: number): boolean {
    const value = this.#all.get(valueKey(id));
    if (!value) return false;
    // The server leaves out a content that has become unknown.
    value.raw = raw ?? null;
    value.cameAt = at;
    return true;
  }

  /** Whether one of the values arrived after `since`. @param since on the clock's monotonic time */
  haveCome(ids: readonly ValueId[], since: number): boolean {
    return ids.some((id) => (this.#all.get(valueKey(id))?.cameAt ?? Number.NEGATIVE_INFINITY) > since);
  }

  /** Invalidates the contents of values. */
  void(ids: readonly ValueId[]): void {
    for (const id of ids) {
      const value = this.#all.get(valueKey(id));
      if (value) value.raw = undefined;
    }
  }

  remove(id: ValueId): boolean {
    return this.#all.delete(valueKey(id));
  }
}

function hasSameUnit(a: ValueMetadata, b: ValueMetadata): boolean {
  return a.unit === b.unit && a.ccSpecific?.scale === b.ccSpecific?.scale;
}
