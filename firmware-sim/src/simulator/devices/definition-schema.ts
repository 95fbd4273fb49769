/** The schema of a simulator file: its keys and their values. */
import { isEdgeId, isName, propertyShape, writtenLimits } from "@porchlight/shared/model";
import { MAX_FRAME_LIMIT, MAX_INDEX, MAX_WINDOW, MIN_FRAME_LIMIT } from "@porchlight/shared/wire";
import { z } from "zod";
import { behaviourEntry } from "./behaviour-schema.ts";

const edgeId = z.string().refine(isEdgeId, "must be 6 or 8 bytes in upper-case hex, separated by hyphens");
const name = z.string().refine(isName, "must begin with a letter and have letters, digits, _ and - only");
const text = z.string().max(64);
const index = z.int().min(0).max(MAX_INDEX);
const scalar = z.union([z.string(), z.number(), z.boolean()]);

const property = z.strictObject({
  ...propertyShape,
  ...writtenLimits,
  property: name,
  unit: z.string().max(16).optional(),
  values: z.array(scalar).min(1).optional(),
  access: propertyShape.access.min(1),
});

export const serviceEntry = z.strictObject({
  service: name,
  index: index.default(0),
  /** For a standard property the name is enough; a standard class without `properties` has all of them. */
  properties: z
    .array(z.union([name, property]))
    .min(1)
    .optional(),
});

const about = z.strictObject({
  manufacturer: text.optional(),
  model: text.optional(),
  firmware: text.optional(),
  serial: text.optional(),
});

export const deviceEntry = z.strictObject({
  edgeId,
  name: text.optional(),
  kind: z.string().optional(),
  services: z.array(serviceEntry).min(1).optional(),
  about: about.optional(),
  values: z.record(z.string(), z.json()).optional(),
  /** Its own behaviours. */
  behaviour: z.array(behaviourEntry).optional(),
  /** Whether to add the daily events of its kind. */
  lively: z.boolean().optional(),
  /** Its initial fault, in the words that `fault` takes. */
  fault: z.string().optional(),
});

const tls = z.strictObject({
  psk: z.string().regex(/^([0-9a-f]{2}){16,64}$/i, "must be a key of 16 to 64 bytes in hex"),
});

/** Its devices are parsed one by one. */
export const nodeEntry = z.strictObject({
  name: text.optional(),
  link: z.string().min(1).optional(),
  /** On the network instead of a serial line, at this TCP port (0: any free one). */
  tcp: z.int().min(0).max(65_535).optional(),
  tls: tls.optional(),
  /** Whether it is announced by mDNS; true when omitted. */
  announce: z.boolean().optional(),
  edgeId,
  max: z.int().min(MIN_FRAME_LIMIT).max(MAX_FRAME_LIMIT).optional(),
  win: z.int().min(1).max(MAX_WINDOW).optional(),
  boot: z.enum(["noise", "none"]).optional(),
  about: about.optional(),
  /** Initial faults of its line and its board, in the words that `fault` takes. */
  faults: z.array(z.string()).optional(),
  devices: z.array(z.unknown()).min(1),
});

/** Its nodes are parsed one by one. */
export const definitionFile = z.strictObject({ nodes: z.array(z.unknown()).min(1) });

export type ServiceEntry = z.infer<typeof serviceEntry>;
export type NodeEntry = z.infer<typeof nodeEntry>;
