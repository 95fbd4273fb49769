/**
 * The server's description of a node, as far as the driver uses it. Values are parsed one by one, so that an invalid one hides no other.
 */
import { z } from "zod";
import { type ValueId, valueIdSchema } from "./value-id.ts";

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
export function nodeValueOf(json: unknown): NodeValue | undefined {
  const parsed = valueStateSchema.safeParse(json);
  if (!parsed.success) return undefined;
  const { commandClass, endpoint, property, propertyKey, ccVersion, commandClassName, metadata, value } = parsed.data;
  const id = { commandClass, endpoint, property, ...(propertyKey !== undefined && { propertyKey }) };
  return { id, ccVersion, className: commandClassName ?? `class ${commandClass}`, metadata, raw: value };
}
