/** What an endpoint is, by the numbers of its device class and its icon: the same command class moves a shutter and dims a lamp. Pure. */
import type { EndpointKind } from "../classes/zwave-property.ts";
import type { NodeState } from "../values/node-state.ts";

const BINARY_SWITCH = 16;
const MULTILEVEL_SWITCH = 17;
const WINDOW_COVERING = 9;
/** Specific classes of a multilevel switch: motors of several positions, and of the classes A to C. */
const MOTORS: ReadonlySet<number> = new Set([3, 5, 6, 7]);
const FAN = 8;
const SIREN = 5;
const VALVE = 6;
/** The first byte of an installer icon is its kind. */
const VALVE_ICON = 0x15;

export function endpointKind(node: NodeState, index: number): EndpointKind {
  const endpoint = node.endpoints.find((each) => each.index === index);
  const { generic, specific } = endpoint?.deviceClass ?? node.deviceClass ?? {};
  const icon = endpoint?.installerIcon ?? node.installerIcon ?? 0;
  if (generic?.key === WINDOW_COVERING) return "cover";
  if (generic?.key === MULTILEVEL_SWITCH) {
    if (specific?.key === FAN) return "fan";
    return MOTORS.has(specific?.key ?? 0) ? "cover" : "other";
  }
  if (generic?.key === BINARY_SWITCH && specific?.key === SIREN) return "siren";
  if (generic?.key === BINARY_SWITCH && specific?.key === VALVE) return "valve";
  return icon >> 8 === VALVE_ICON ? "valve" : "other";
}
