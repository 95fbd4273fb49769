/** The values of one node, by their names: read whole at first, and kept up to date by the server's events. Bounded. */
import { type NodeValue, nodeValueOf, type ValueMetadata } from "./node-state.ts";
import { type ValueId, valueKey } from "./value-id.ts";

/** The content of a value now; undefined when the node has no such value, or it has no content. */
export type RawOf = (id: ValueId) => unknown;

/** Values of a node that are kept: a keypad lock with 250 codes has about 800. */
const MOST = 2000;
/** Multilevel Sensor, Meter, Thermostat Setpoint, Energy Production: classes of which a report says the unit beside the number. */
const MEASURED: ReadonlySet<number> = new Set([49, 50, 67, 144]);
/**
 * A report comes as two events, of its unit and of its number, in either order: what comes within this time belongs together, ms. A number is
 * told only after it, and an older number is void when another unit comes.
 */
export const PAIR_MS = 100;

/** `other unit`: the number of before is not in the unit that the value has now. `full`: there is no room for a new value. */
export type MetadataChange = "kept" | "other unit" | "full";

/** Whether a number of this value is in a unit that its metadata says. */
export function isMeasured({ commandClass }: Pick<ValueId, "commandClass">): boolean {
  return MEASURED.has(commandClass);
}

export class NodeValues {
  readonly #all = new Map<string, NodeValue>();

  /** @param leftAside called for each item that is not a value, or has no room */
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

  /** Replaces or adds a value with its metadata. False when it is not a value, or there is no room. */
  put(json: unknown): boolean {
    const value = nodeValueOf(json);
    if (!value) return false;
    const key = valueKey(value.id);
    if (!this.#all.has(key) && this.#all.size >= MOST) return false;
    this.#all.set(key, value);
    return true;
  }

  /** What a value is has changed. @param at on the clock's monotonic time */
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

  /** Its content has changed. False when the node has no such value. @param at on the clock's monotonic time */
  set(id: ValueId, raw: unknown, at: number): boolean {
    const value = this.#all.get(valueKey(id));
    if (!value) return false;
    // The server leaves out what is not known any more.
    value.raw = raw ?? null;
    value.cameAt = at;
    return true;
  }

  /** Whether one of them has come after that time. @param since on the clock's monotonic time */
  haveCome(ids: readonly ValueId[], since: number): boolean {
    return ids.some((id) => (this.#all.get(valueKey(id))?.cameAt ?? Number.NEGATIVE_INFINITY) > since);
  }

  /** They say nothing true any more. */
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
