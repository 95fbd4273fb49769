/** Faults in words, the same in a file, on the command line and at run time: `corrupt 0.01`, `slow=300`, `none`. */
import { DEVICE_FAULTS, type DeviceFault, isDeviceFault, NO_FAULT } from "./device-fault.ts";

export type Fault =
  | { readonly of: "device"; readonly fault: DeviceFault }
  | { readonly of: "node"; readonly name: NodeFaultName; readonly amount: number }
  /** Ends every fault of the device, the board and the line. */
  | { readonly of: "all" };

export type ReadFault =
  | { readonly kind: "ok"; readonly fault: Fault }
  | { readonly kind: "unknown"; readonly word: string; readonly known: readonly string[] }
  | { readonly kind: "problem"; readonly problem: string };

/** Every fault by name, with the meaning of its number; empty when it takes none. */
export function faultNames(): readonly (readonly [string, string])[] {
  return [
    ...Object.entries(NODE_FAULTS).map(([name, { amount }]) => [name, amount] as const),
    ...Object.entries(DEVICE_FAULTS),
    ["none", ""],
  ];
}

/** @param text a name, and where the fault takes one a number after a space or `=` */
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

/** Faults of a node's line and its board, as numbers; an omitted one is off. */
export interface NodeFaults {
  /** Probability that a frame is lost, 0..1. */
  readonly drop?: number | undefined;
  /** Probability that one bit of a frame is flipped. */
  readonly corrupt?: number | undefined;
  /** Probability that a frame arrives twice. */
  readonly duplicate?: number | undefined;
  /** Probability that a frame ends in the middle. */
  readonly half?: number | undefined;
  /** Maximum delay of a frame, ms; frames keep their order. */
  readonly delay?: number | undefined;
  /** Number of random bytes on the line at every boot of the board. */
  readonly garbage?: number | undefined;
  /** Speed of its own clock: 1.02 is two percent fast. */
  readonly drift?: number | undefined;
  /** Mean interval between power failures, seconds. */
  readonly brownout?: number | undefined;
  /** Mean interval between pulls of the cable, which last a few seconds each, seconds. */
  readonly unplug?: number | undefined;
}

export type NodeFaultName = keyof NodeFaults;

interface FaultRow {
  /** Description of its number for users. */
  readonly amount: string;
  readonly least: number;
  readonly largest: number;
}

const chance = (what: string): FaultRow => ({ amount: `chance a frame, 0 to 1, ${what}`, least: 0, largest: 1 });

const NODE_FAULTS: Readonly<Record<NodeFaultName, FaultRow>> = {
  drop: chance("that it is lost"),
  corrupt: chance("that one of its bits is turned round"),
  duplicate: chance("that it comes twice"),
  half: chance("that it ends in its middle"),
  delay: { amount: "ms by which a frame is late at most; none overtakes another", least: 0, largest: 60_000 },
  garbage: { amount: "random bytes on the line at every boot", least: 0, largest: 10_000 },
  drift: { amount: "speed of the board's own clock; 1.02 is two percent fast", least: 0.1, largest: 10 },
  brownout: { amount: "seconds, about, from one power failure to the next", least: 0, largest: 86_400 },
  unplug: { amount: "seconds, about, from one pull of the cable to the next", least: 0, largest: 86_400 },
};

export const NO_NODE_FAULTS: NodeFaults = {};

function isNodeFault(name: string): name is NodeFaultName {
  return Object.hasOwn(NODE_FAULTS, name);
}

/** The faults with one of them set; 0 removes it. */
export function withFault(faults: NodeFaults, name: NodeFaultName, amount: number): NodeFaults {
  const { [name]: _, ...others } = faults;
  return amount === 0 ? others : { ...others, [name]: amount };
}
