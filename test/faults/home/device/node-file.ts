/** The settings of device processes at their start: one place lists the nodes, for them and for the harness. */
import type { DeviceDefinition } from "@porchlight/firmware-sim/simulator/devices/definition.ts";
import { standardService } from "@porchlight/firmware-sim/simulator/devices/kinds.ts";
import { findProperty, type PropertyAddress, parseSelector, type Value } from "@porchlight/shared/model";
import { z } from "zod";
import { LIGHT } from "../properties.ts";

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

const SERVICES = [standardService("LightLevel"), standardService("LightColor")];

/** @param values that it kept over its last boot, by `SERVICE.PROPERTY` */
export function deviceDefinition(edgeId: string, values: ReadonlyMap<string, Value>): DeviceDefinition {
  return {
    edgeId,
    services: SERVICES,
    values: [
      ...Object.entries(LIGHT.first).map(([name, first]) => [addressOf(name), values.get(name) ?? first] as const),
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
