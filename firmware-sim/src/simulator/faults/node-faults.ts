/** What can be wrong with a node's line and its board, as numbers; each is off when it is left out. */

export interface NodeFaults {
  /** Chance a frame, 0..1, that it is lost. */
  readonly drop?: number | undefined;
  /** Chance a frame that one of its bits is turned round. */
  readonly corrupt?: number | undefined;
  /** Chance a frame that it comes twice. */
  readonly duplicate?: number | undefined;
  /** Chance a frame that it ends in its middle. */
  readonly half?: number | undefined;
  /** Each frame comes up to so many ms late; none overtakes another. */
  readonly delay?: number | undefined;
  /** So many random bytes are on the line whenever the board boots. */
  readonly garbage?: number | undefined;
  /** How fast its own clock runs: 1.02 is two percent fast. */
  readonly drift?: number | undefined;
  /** Its power fails about every so many seconds. */
  readonly brownout?: number | undefined;
  /** Its cable is pulled about every so many seconds, for a few. */
  readonly unplug?: number | undefined;
}

export type NodeFaultName = keyof NodeFaults;

interface FaultRow {
  /** What a person reads about its number. */
  readonly amount: string;
  readonly least: number;
  readonly largest: number;
}

const chance = (what: string): FaultRow => ({ amount: `chance a frame, 0 to 1, ${what}`, least: 0, largest: 1 });

export const NODE_FAULTS: Readonly<Record<NodeFaultName, FaultRow>> = {
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

export function isNodeFault(name: string): name is NodeFaultName {
  return Object.hasOwn(NODE_FAULTS, name);
}

/** The same faults with one of them set; 0 takes it away. */
export function withFault(faults: NodeFaults, name: NodeFaultName, amount: number): NodeFaults {
  const { [name]: _, ...others } = faults;
  return amount === 0 ? others : { ...others, [name]: amount };
}
