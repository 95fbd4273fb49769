/** What zigbee2mqtt says of itself and of its devices: `BASE/bridge/info`, `BASE/bridge/devices`. Unknown members are ignored. */
import { isRecord } from "@porchlight/driver-kit";
import { z } from "zod";

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const number = z.number().optional().catch(undefined);
const name = z.string().min(1).max(64);

/** One of `definition.exposes`, or a part of one. */
export const expose = z.object({
  type: z.string().max(32),
  name: name.optional(),
  property: name.optional(),
  endpoint: name.optional(),
  /** 1: published; 2: can be set; 4: can be asked for. */
  access: z.int().min(0).max(7).default(1),
  unit: z.string().max(64).optional(),
  value_min: number,
  value_max: number,
  value_step: number,
  values: z.array(scalar).max(1000).optional(),
  value_on: scalar.optional(),
  value_off: scalar.optional(),
  get features() {
    // Too many are refused before any of them is looked at.
    return z.array(z.unknown()).max(256).pipe(z.array(expose)).optional();
  },
});

export type Expose = z.output<typeof expose>;

const definition = z.object({
  vendor: z.string().optional(),
  model: z.string().optional(),
  /** Each is parsed by itself: one that makes no sense leaves the others. */
  exposes: z.array(z.unknown()).max(256),
});

export const bridgeDevice = z.object({
  ieee_address: z.string(),
  type: z.string(),
  friendly_name: z.string(),
  disabled: z.boolean().default(false),
  supported: z.boolean().default(true),
  interview_completed: z.boolean().default(true),
  software_build_id: z.string().optional().catch(undefined),
  definition: definition.nullish(),
});

export type BridgeDevice = z.output<typeof bridgeDevice>;

const flag = z.boolean().optional().catch(undefined);
/** What the settings say of one device: read when it is described, since a message may have very many. */
export const settingsOfDevice = z
  .object({ availability: z.unknown().optional(), invert_cover: flag })
  .optional()
  .catch(undefined);

export const bridgeInfo = z.object({
  config: z.object({
    availability: z.unknown().optional(),
    devices: z.custom<Readonly<Record<string, unknown>>>(isRecord).optional(),
    /** What holds for devices that say nothing else. */
    device_options: z.object({ invert_cover: flag }).optional().catch(undefined),
    advanced: z
      .object({ last_seen: z.string().optional().catch(undefined), output: z.string().optional().catch(undefined) })
      .optional()
      .catch(undefined),
  }),
});

export type BridgeConfig = z.output<typeof bridgeInfo>["config"];
