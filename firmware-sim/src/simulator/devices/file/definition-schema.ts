/** The shape of a simulator file, once: what may stand in it and under which key. */
import { isEdgeId, isName, propertyShape, writtenLimits } from "@porchlight/shared/model";
import { MAX_FRAME_LIMIT, MAX_INDEX, MAX_WINDOW, MIN_FRAME_LIMIT } from "@porchlight/shared/wire";
import { z } from "zod";
import { behaviourEntry } from "../behaviour/schema.ts";

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
  /** A standard property may be just its name; a standard class without `properties` has all of them. */
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
  /** What it does of itself. */
  behaviour: z.array(behaviourEntry).optional(),
  /** It does besides what devices of its kind do all day. */
  lively: z.boolean().optional(),
  /** It misbehaves from the start: a line as `fault` takes it. */
  fault: z.string().optional(),
});

const tls = z.strictObject({
  psk: z.string().regex(/^([0-9a-f]{2}){16,64}$/i, "must be a key of 16 to 64 bytes in hex"),
});

/** Its devices are read one by one. */
export const nodeEntry = z.strictObject({
  name: text.optional(),
  link: z.string().min(1).optional(),
  /** It is on the network, at this TCP port (0: any free one), not on a serial line. */
  tcp: z.int().min(0).max(65_535).optional(),
  tls: tls.optional(),
  /** Whether it is announced by mDNS; it is, when left out. */
  announce: z.boolean().optional(),
  edgeId,
  max: z.int().min(MIN_FRAME_LIMIT).max(MAX_FRAME_LIMIT).optional(),
  win: z.int().min(1).max(MAX_WINDOW).optional(),
  boot: z.enum(["noise", "none"]).optional(),
  about: about.optional(),
  /** What is wrong with its line and its board: words as `fault` takes them. */
  faults: z.array(z.string()).optional(),
  devices: z.array(z.unknown()).min(1),
});

/** Its nodes are read one by one. */
export const definitionFile = z.strictObject({ nodes: z.array(z.unknown()).min(1) });

export type ServiceEntry = z.infer<typeof serviceEntry>;
export type NodeEntry = z.infer<typeof nodeEntry>;
