/** zigbee2mqtt's settings for its devices, from `BASE/bridge/info`. */
import { isRecord } from "@porchlight/driver-kit";
import { z } from "zod";

/** The settings for how a device's state is published. */
export interface DeviceConfig {
  /** A topic reports whether the device is reachable. */
  readonly hasAvailability: boolean;
  /** Each message has the time at which the device was last received on the radio. */
  readonly hasLastSeen: boolean;
  /** Each member is published only on its own topic. */
  readonly isByAttribute: boolean;
  /** Positions count from the open end: 0 % is open. */
  readonly isCoverInverted: boolean;
}

/** Undefined: the settings are not known yet. */
export function deviceConfig(config: BridgeConfig | undefined, ieeeAddress: string): DeviceConfig {
  const { advanced, devices, device_options } = config ?? {};
  const own = settingsOfDevice.parse(devices?.[ieeeAddress]);
  return {
    hasAvailability: (isOn(config?.availability) ?? false) && (isOn(own?.availability) ?? true),
    hasLastSeen: (advanced?.last_seen ?? "disable") !== "disable",
    isByAttribute: advanced?.output === "attribute",
    isCoverInverted: own?.invert_cover ?? device_options?.invert_cover ?? false,
  };
}

const OUTPUTS: ReadonlySet<string> = new Set(["json", "attribute", "attribute_and_json"]);

/** The settings that the hub does not understand, in words. */
export function configProblem({ advanced }: BridgeConfig): string | undefined {
  const { output } = advanced ?? {};
  if (output === undefined || OUTPUTS.has(output)) return undefined;
  return `config.advanced.output is ${JSON.stringify(output)}, which the hub does not know; it reads JSON`;
}

/** `true`, or an object with `enabled`; an object without it is on, as in versions before 2. */
function isOn(setting: unknown): boolean | undefined {
  if (typeof setting === "boolean") return setting;
  if (typeof setting !== "object" || setting === null) return undefined;
  return "enabled" in setting ? setting.enabled === true : true;
}

// zigbee2mqtt's description of itself and of its devices: `BASE/bridge/info`, `BASE/bridge/devices`. Unknown members are ignored.
const scalar = z.union([z.string(), z.number(), z.boolean()]);
const number = z.number().optional().catch(undefined);
const name = z.string().min(1).max(64);

/** An item of `definition.exposes`, or a part of one. */
export const expose = z.object({
  type: z.string().max(32),
  name: name.optional(),
  property: name.optional(),
  endpoint: name.optional(),
  /** 1: published; 2: can be set; 4: can be read. */
  access: z.int().min(0).max(7).default(1),
  unit: z.string().max(64).optional(),
  value_min: number,
  value_max: number,
  value_step: number,
  values: z.array(scalar).max(1000).optional(),
  value_on: scalar.optional(),
  value_off: scalar.optional(),
  get features() {
    // A list that is too long is refused before its items are parsed.
    return z.array(z.unknown()).max(256).pipe(z.array(expose)).optional();
  },
});

export type Expose = z.output<typeof expose>;

const definition = z.object({
  vendor: z.string().optional(),
  model: z.string().optional(),
  /** Each item is parsed by itself, so that an invalid one does not affect the others. */
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
/** The settings of one device, parsed when the device is described, since a message may have very many. */
const settingsOfDevice = z
  .object({ availability: z.unknown().optional(), invert_cover: flag })
  .optional()
  .catch(undefined);

export const bridgeInfo = z.object({
  config: z.object({
    availability: z.unknown().optional(),
    devices: z.custom<Readonly<Record<string, unknown>>>(isRecord).optional(),
    /** Defaults for devices without a setting of their own. */
    device_options: z.object({ invert_cover: flag }).optional().catch(undefined),
    advanced: z
      .object({ last_seen: z.string().optional().catch(undefined), output: z.string().optional().catch(undefined) })
      .optional()
      .catch(undefined),
  }),
});

export type BridgeConfig = z.output<typeof bridgeInfo>["config"];
