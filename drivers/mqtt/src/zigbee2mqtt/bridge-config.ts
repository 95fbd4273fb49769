/** What the settings of zigbee2mqtt say of its devices, from `BASE/bridge/info`. */
import { type BridgeConfig, settingsOfDevice } from "./bridge-schemas.ts";

/** How the settings have a device publish what it is. */
export interface DeviceConfig {
  /** A topic says whether it can be reached. */
  readonly hasAvailability: boolean;
  /** Each message has the time at which the device was last heard. */
  readonly hasLastSeen: boolean;
  /** Each member is published on a topic of its own only. */
  readonly isByAttribute: boolean;
  /** Its positions count from the open end: 0 % is open. */
  readonly isCoverInverted: boolean;
}

/** Undefined: nothing is known of the settings yet. */
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

/** What the hub does not understand of the settings, in words. */
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
