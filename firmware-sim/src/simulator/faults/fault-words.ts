/** A fault in words, the same in a file, on the command line and live: `corrupt 0.01`, `slow=300`, `none`. */
import { DEVICE_FAULTS, type DeviceFault, isDeviceFault, NO_FAULT } from "./device-fault.ts";
import { isNodeFault, NODE_FAULTS, type NodeFaultName } from "./node-faults.ts";

export type Fault =
  | { readonly of: "device"; readonly fault: DeviceFault }
  | { readonly of: "node"; readonly name: NodeFaultName; readonly amount: number }
  /** All is well again: the device, the board and the line. */
  | { readonly of: "all" };

export type ReadFault =
  | { readonly kind: "ok"; readonly fault: Fault }
  | { readonly kind: "unknown"; readonly word: string; readonly known: readonly string[] }
  | { readonly kind: "problem"; readonly problem: string };

/** Every fault, by name, with what its number means; none when it takes no number. */
export function faultNames(): readonly (readonly [string, string])[] {
  return [
    ...Object.entries(NODE_FAULTS).map(([name, { amount }]) => [name, amount] as const),
    ...Object.entries(DEVICE_FAULTS),
    ["none", ""],
  ];
}

/** @param text a name, and a number after a space or `=` where it takes one */
export function readFault(text: string): ReadFault {
  const [name = "", number] = text.trim().split(/\s*=\s*|\s+/);
  const amount = number === undefined ? undefined : Number(number);
  if (name === "none") return { kind: "ok", fault: { of: "all" } };
  if (isNodeFault(name)) return nodeFault(name, amount);
  if (!isDeviceFault(name)) return { kind: "unknown", word: name, known: faultNames().map(([known]) => known) };
  if (amount !== undefined && !(amount >= 0)) return { kind: "problem", problem: `${number} is no number` };
  return { kind: "ok", fault: { of: "device", fault: deviceFault(name, amount) } };
}

function nodeFault(name: NodeFaultName, amount: number | undefined): ReadFault {
  const { least, largest, amount: meaning } = NODE_FAULTS[name];
  const fits = amount !== undefined && (amount === 0 || (amount >= least && amount <= largest));
  if (fits) return { kind: "ok", fault: { of: "node", name, amount } };
  return { kind: "problem", problem: `${name} takes a number from ${least} to ${largest} (0: off): ${meaning}` };
}

function deviceFault(mode: DeviceFault["mode"], amount: number | undefined): DeviceFault {
  if (mode === "slow") return { mode, ms: amount ?? 1000 };
  if (mode === "stale") return { mode, ms: amount ?? 250 };
  if (mode === "busy" || mode === "forget") return { mode, times: amount };
  return mode === "none" ? NO_FAULT : { mode };
}
