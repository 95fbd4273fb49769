/** The parts of the messages of both directions: devices, values and results, within their bounds. */
import { isEdgeId, isName, propertyShape, type Value, valueBreach } from "@porchlight/shared/model";
import { z } from "zod";

export const count = z.int().min(0);
/** Names one question of the end that asks. */
export const questionId = z.int().min(1).max(0xffffffff);
export const shortText = z.string().max(1024);
export const ipcEdgeId = z.string().refine(isEdgeId, "must be an EUI-48 or EUI-64");
const setupName = z.string().regex(/^[a-z0-9-]{1,64}$/);
const word = z.string().refine(isName, "is not a service or property name");
const index = z.string().regex(/^(0|[1-9][0-9]{0,2})$/);
export const value = z.custom<Value>(
  (given) => valueBreach(given) === undefined,
  "is not a JSON value within its bounds",
);
export const address = z.object({ service: word, index, property: word });
export const observation = address.extend({ device: ipcEdgeId, value, isRetained: z.boolean().optional() });
export const reportSource = z.object({ node: z.string().max(64), boot: count, seq: count });
export const pushResult = z.enum(["stored", "replaced", "busy", "refused"]);
export const reportResult = z.enum(["stored", "repeated", "busy"]);

const about = z.object({
  manufacturer: shortText.optional(),
  model: shortText.optional(),
  firmware: shortText.optional(),
  serial: shortText.optional(),
  name: shortText.optional(),
});

const property = z.object({
  ...propertyShape,
  property: word,
  unit: z.string().max(64).optional(),
  values: z
    .array(z.union([z.string().max(1024), z.number(), z.boolean()]))
    .max(256)
    .optional(),
});

const service = z.object({ service: word, index, properties: z.array(property).max(64) });

export const liveDevice = z.object({
  edgeId: ipcEdgeId,
  description: z.array(service).max(64),
  about,
  transport: z.string().min(1).max(256),
});

export const foundDevice = z.object({
  edgeId: ipcEdgeId,
  about,
  services: z.array(shortText).max(64),
  admission: z.enum(["awaiting_admission", "not_admitted"]),
});

export const unpairedDevice = z.object({
  name: shortText,
  edgeId: ipcEdgeId.optional(),
  address: shortText.optional(),
  missing: shortText,
  setup: setupName.optional(),
});

export const driverResult = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("value"), value }),
  z.object({
    kind: z.literal("failed"),
    name: z.enum(["Device Unreachable", "Device Rejected", "Hub Timeout"]),
    outcome: z.enum(["rejected", "not_applied", "unknown"]),
    detail: shortText,
    code: z.number().optional(),
  }),
]);

export const setupKind = z.object({
  kind: setupName,
  title: shortText,
  releases: z.array(ipcEdgeId).max(1000).optional(),
});
export const setupQuestion = z.discriminatedUnion("ask", [
  z.object({ ask: z.enum(["code", "password"]), text: shortText }),
  z.object({ ask: z.literal("choice"), text: shortText, choices: z.array(shortText).min(1).max(100) }),
]);
export const setupFind = z.object({ edgeId: ipcEdgeId.optional(), name: shortText });
