/**
 * All that a run against a home of real processes is judged by: what clients asked and were answered, what devices did by their own
 * record, what stood still, and what is left in the end. Times are ms of {@link machineTime}.
 */

/** Ms since the start of the machine (CLOCK_MONOTONIC): the same in every process, which `performance.now()` is not. */
export function machineTime(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Who answers a request: the service, or the hub by its API at home. */
export type Api = "cloud" | "home";

/** One request of a write; with an idempotency key a write may take several, all meaning the same. */
export interface Ask {
  /** Where it went: `home`, or the address of the service that was chosen. */
  readonly to: string;
  readonly begin: number;
  /** Missing without an answer: the connection broke, or the client went away. */
  end?: number;
  status?: number;
  /** The error's name. */
  title?: string;
  outcome?: string;
  value?: unknown;
  commandId?: string;
}

export interface Property {
  /** edgeId. */
  readonly device: string;
  /** `SERVICE.PROPERTY`. */
  readonly property: string;
}

/** A write of a value that is asked for once in a run, so that each act belongs to one write without doubt. */
export interface Write extends Property {
  readonly api: Api;
  readonly kind: "single" | "keyed" | "queued";
  readonly value: number;
  /** How long after an ask the device may be touched, ms: the wait asked for, or the time to live. */
  readonly waitMs: number;
  readonly asks: Ask[];
}

/** A change by a device's own record, written before it was reported. */
export interface Act extends Property {
  readonly at: number;
  readonly value: unknown;
  /** `person`: a person turned it at the device. */
  readonly by: "write" | "person";
  /** Of the WRITE; -1 for a person. */
  readonly seq: number;
  /** Which boot of the node. */
  readonly boot: number;
}

export interface Reading extends Property {
  readonly api: Api;
  readonly value: unknown;
  readonly begin: number;
  readonly end: number;
  /** The device itself was asked. */
  readonly refreshed: boolean;
}

/** The service's answer when it was asked for a command. */
export interface Look {
  readonly id: string;
  readonly begin: number;
  readonly end: number;
  readonly status: number;
  readonly state?: string;
  readonly outcome?: string;
}

/** What stands still: a node of the service, a server behind it, the hub, the process of a driver of its, a device's node, its line to the hub, or the hub's to the service. */
export type Kind = "service" | "server" | "hub" | "driver" | "device" | "device line" | "service line";

/** A time in which a process stood still (SIGSTOP), or a line held its frames. */
export interface Standstill {
  readonly kind: Kind;
  /** The part; of a device's line its node. */
  readonly what: string;
  readonly from: number;
  /** Missing while it lasts. */
  to?: number;
}

/** A fault as it was carried out. */
export interface Fault {
  readonly track: string;
  readonly name: string;
  readonly target: string;
  readonly from: number;
  to?: number;
}

/** A frame between hub and device, as the line between them saw it. */
export interface Frame {
  readonly at: number;
  readonly line: string;
  readonly to: "device" | "hub";
  readonly text: string;
  /** What the line did to it. */
  readonly fate: "passed" | "lost" | "damaged" | "late";
}

/** What a property is in the end, by its device and by each API that shows it. */
export interface FinalValue extends Property {
  /** `home`, or a node of the service. */
  readonly shownBy: string;
  readonly shown: unknown;
  readonly held: unknown;
}

export interface HomeRecord {
  /** Nodes of the service. */
  readonly nodes: number;
  readonly writes: Write[];
  readonly acts: Act[];
  readonly readings: Reading[];
  readonly looks: Look[];
  readonly standstills: Standstill[];
  readonly faults: Fault[];
  readonly frames: Frame[];
  readonly finalValues: FinalValue[];
  /** The waits that were not over when the patience after the last fault was. */
  readonly awaited: string[];
  /** Node of each device: what stands still when its process does. */
  readonly nodeOf: Readonly<Record<string, string>>;
  /** edgeId of the device behind the driver that is a process of its own; missing when there is none. */
  readonly matterDevice?: string | undefined;
  /** Values before any change, by `SERVICE.PROPERTY`. */
  readonly first: Readonly<Record<string, unknown>>;
}

export function emptyRecord(about: Pick<HomeRecord, "nodes" | "nodeOf" | "first" | "matterDevice">): HomeRecord {
  const written = { writes: [], acts: [], readings: [], looks: [], standstills: [], faults: [], frames: [] };
  return { ...about, ...written, finalValues: [], awaited: [] };
}

export function propertyKey({ device, property }: Property): string {
  return `${device} ${property}`;
}
