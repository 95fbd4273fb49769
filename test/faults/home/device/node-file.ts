/** What the processes of devices are told at their start: one place says which nodes there are, for them and for the harness. */
import type { DeviceDefinition } from "@porchlight/firmware-sim/devices/definition.ts";
import { standardService } from "@porchlight/firmware-sim/devices/kinds.ts";
import { findProperty, type PropertyAddress, parseSelector, type Value } from "@porchlight/shared/model";
import { z } from "zod";

export const nodeFile = z.object({
  name: z.string(),
  edgeId: z.string(),
  devices: z.array(z.string()),
  /** The socket that it serves. */
  socket: z.string(),
  /** The file that it writes each change to. */
  acts: z.string(),
  /** Port that it is announced at, of a node of the network. */
  port: z.number().optional(),
});
export type NodeFile = z.output<typeof nodeFile>;

/** What each device can be set to, and what it has before anybody does. */
export const FIRST_VALUES = { "LightColor.hue": 40, "LightLevel.level": 100 } as const;
export const PROPERTIES = Object.keys(FIRST_VALUES) as [keyof typeof FIRST_VALUES];

const SERVICES = [standardService("LightLevel"), standardService("LightColor")];

/** @param values that it kept over its last boot, by `SERVICE.PROPERTY` */
export function deviceDefinition(edgeId: string, values: ReadonlyMap<string, Value>): DeviceDefinition {
  return {
    edgeId,
    services: SERVICES,
    values: [
      ...PROPERTIES.map((name) => [addressOf(name), values.get(name) ?? FIRST_VALUES[name]] as const),
      [addressOf("LightColor.saturation"), 60],
    ],
  };
}

/** @throws Error when no device of a run has it */
function addressOf(selector: string): PropertyAddress {
  const parsed = parseSelector(selector);
  const address = { service: parsed?.service ?? "", index: parsed?.index ?? "0", property: parsed?.property ?? "" };
  if (!findProperty(SERVICES, address)) throw new Error(`no device has ${selector}`);
  return address;
}
