/**
 * A node as the server describes it, and its values by key: read completely at first, then updated by the server's events. Z-Wave JS
 * identifies a value by command class, endpoint, property and property key. Values are parsed one by one, so that an invalid one hides no
 * other. Bounded.
 */
import { z } from "zod";

export interface ValueId {
  readonly commandClass: number;
  readonly endpoint: number;
  readonly property: string | number;
  readonly propertyKey?: string | number | undefined;
}

const part = z.union([z.string().max(256), z.number()]);

/** A value's ID as the server sends it; further members of the message are ignored. */
export const valueIdSchema = z.object({
  commandClass: z.int().min(0).max(65_535),
  endpoint: z.int().min(0).max(127).default(0),
  property: part,
  propertyKey: part.optional(),
});

/** Same text for the same value. Numbers and texts differ: parameter 3 is not the property `3`. */
export function valueKey({ commandClass, endpoint, property, propertyKey }: ValueId): string {
  return JSON.stringify([commandClass, endpoint, property, propertyKey ?? null]);
}

/** Orders values by their IDs alone: by endpoint, command class, property and key, numbers before texts. */
export function compareIds(a: ValueId, b: ValueId): number {
  return (
    a.endpoint - b.endpoint ||
    a.commandClass - b.commandClass ||
    compareParts(a.property, b.property) ||
    compareParts(a.propertyKey, b.propertyKey)
  );
}

function compareParts(a: string | number | undefined, b: string | number | undefined): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a !== typeof b) return rankOf(a) - rankOf(b);
  return String(a) < String(b) ? -1 : Number(String(a) > String(b));
}

function rankOf(part: string | number | undefined): number {
  return ["undefined", "number", "string"].indexOf(typeof part);
}

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
type MetadataChange = "kept" | "other unit" | "full";

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

/** `NodeStatus` of Z-Wave JS. */
export const NODE_STATUS = { unknown: 0, asleep: 1, awake: 2, dead: 3, alive: 4 } as const;

const text = z.string().max(1024);
const keyed = z.object({ key: z.number() }).catch({ key: -1 });
const deviceClass = z.object({ generic: keyed, specific: keyed }).nullish().catch(undefined);

const endpointSchema = z.object({
  index: z.int().min(0).max(127),
  installerIcon: z.number().optional().catch(undefined),
  deviceClass,
});

export const nodeStateSchema = z.object({
  nodeId: z.int().min(1).max(4095),
  status: z.int().min(0).max(4).catch(NODE_STATUS.unknown),
  ready: z.boolean().catch(false),
  isListening: z.boolean().catch(false),
  /** `250ms` or `1000ms` for a battery device that can be asked at any time. */
  isFrequentListening: z.union([z.boolean(), z.string()]).nullish().catch(undefined),
  isControllerNode: z.boolean().catch(false),
  interviewStage: z
    .union([z.string().max(64), z.number()])
    .optional()
    .catch(undefined),
  /** -1: without encryption. Undefined: unknown. */
  highestSecurityClass: z.number().optional().catch(undefined),
  isSecure: z.union([z.boolean(), z.string()]).optional().catch(undefined),
  lastSeen: text.optional().catch(undefined),
  firmwareVersion: text.optional().catch(undefined),
  manufacturerId: z.number().optional().catch(undefined),
  productType: z.number().optional().catch(undefined),
  productId: z.number().optional().catch(undefined),
  name: text.optional().catch(undefined),
  label: text.optional().catch(undefined),
  deviceConfig: z
    .object({
      manufacturer: text.optional().catch(undefined),
      label: text.optional().catch(undefined),
      description: text.optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
  installerIcon: z.number().optional().catch(undefined),
  deviceClass,
  endpoints: z.array(endpointSchema).max(128).catch([]),
  values: z.array(z.unknown()).max(5000).catch([]),
});

export type NodeState = z.output<typeof nodeStateSchema>;

/** Static facts about a value. */
export const metadataSchema = z.object({
  type: z.string().max(32).catch("any"),
  readable: z.boolean().catch(true),
  writeable: z.boolean().catch(false),
  unit: text.optional().catch(undefined),
  min: z.number().optional().catch(undefined),
  max: z.number().optional().catch(undefined),
  label: text.optional().catch(undefined),
  states: z.record(z.string().max(32), z.string().max(1024)).optional().catch(undefined),
  ccSpecific: z
    .record(z.string().max(64), z.union([z.number(), z.string()]))
    .optional()
    .catch(undefined),
  /** False for values that are only reported as events. */
  stateful: z.boolean().optional().catch(undefined),
  secret: z.boolean().optional().catch(undefined),
  allowManualEntry: z.boolean().optional().catch(undefined),
});

export type ValueMetadata = z.output<typeof metadataSchema>;

const valueStateSchema = z.object({
  ...valueIdSchema.shape,
  ccVersion: z.number().catch(0),
  commandClassName: z.string().max(64).optional().catch(undefined),
  propertyName: z.string().max(256).optional().catch(undefined),
  metadata: metadataSchema,
  value: z.unknown().optional(),
});

/** A value of a node. */
export interface NodeValue {
  readonly id: ValueId;
  readonly ccVersion: number;
  readonly className: string;
  /** Current metadata; its unit belongs to `raw`, and changes with it. */
  metadata: ValueMetadata;
  /** Content as JSON. `null`, which NaN becomes in JSON: no value. Undefined: the server has sent none. */
  raw: unknown;
  /** Arrival on the clock's monotonic time; undefined for values that the server had before. */
  cameAt?: number | undefined;
}

/** Undefined when it is not a value. */
function nodeValueOf(json: unknown): NodeValue | undefined {
  const parsed = valueStateSchema.safeParse(json);
  if (!parsed.success) return undefined;
  const { commandClass, endpoint, property, propertyKey, ccVersion, commandClassName, metadata, value } = parsed.data;
  const id = { commandClass, endpoint, property, ...(propertyKey !== undefined && { propertyKey }) };
  return { id, ccVersion, className: commandClassName ?? `class ${commandClass}`, metadata, raw: value };
}
