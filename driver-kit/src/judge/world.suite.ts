/** What the author of a driver gives to the judge: a fake of the device's side, and the hands with which the judge plays with it. */
import type { Clock, Log, Random } from "@porchlight/shared/kernel";
import type { PropertyAddress, Value } from "@porchlight/shared/model";
import type { SharedHost } from "../host/session-claims.ts";
import type { StatedDriver } from "../host/supervised.ts";

/** Makes the driver, each time anew: as the hub does at each start. */
export type MakeDriver = (host: SharedHost) => StatedDriver | Promise<StatedDriver>;

/** What a world is built with, and what its driver must be given. */
export interface Stage {
  /** The driver's. */
  readonly clock: Clock;
  /** The fake's: the same time, but its timers are not taken for the driver's. */
  readonly fakeClock: Clock;
  /** The same for the same seed. */
  readonly random: Random;
  /** Keeps every line, of every level. */
  readonly log: Log;
}

/** One of many devices. */
export interface CrowdDevice {
  readonly edgeId: string;
  /** A boolean that can be read and written. */
  readonly property: PropertyAddress;
  /** It answers no more. The others do. */
  silence(): void;
}

/** Something that happens, of which each time counts. */
export interface EventSource {
  readonly property: PropertyAddress;
  /** What it can be; at least two. */
  readonly values: readonly Value[];
  /** Like a real device, it reports to the driver again where its protocol has acknowledgements, until the driver has acknowledged it. */
  happen(value: Value): void;
}

/**
 * `reports`: 10,000 values of a property that is not {@link DriverWorld.property}, no two in a row alike. `garbage`: 1,000 messages or more
 * that make no sense. `long messages`: ten of 1 MiB.
 */
export type FloodKind = "reports" | "garbage" | "long messages";

/** The ways in which devices spell a value, or that they have none. A world has a case of each that its protocol can carry. */
export const RAW_KINDS = [
  "no value",
  "member left out",
  "word for no value",
  "not a number",
  "number as text",
  "protocol marker",
  "excess of rounding",
  "share out of range",
  "measured out of range",
  "unlisted word",
] as const;
export type RawKind = (typeof RAW_KINDS)[number];

/** Something that a device sends of one property, and what the driver must make of it. */
export interface RawCase {
  readonly kind: RawKind;
  /** What is sent, for people. */
  readonly raw: string;
  readonly property: PropertyAddress;
  /** The device sends a good value first, which is read as `before`. */
  sendBefore(): void;
  readonly before: Value;
  /** The device sends the case. */
  send(): void;
  /** `null`: no value, and not the one before. */
  readonly value: Value;
}

export interface RawValues {
  readonly cases: readonly RawCase[];
  /** The kinds that the protocol cannot carry, each with the reason. */
  readonly cannot: Partial<Readonly<Record<RawKind, string>>>;
}

/** Things of one device that come and go with its firmware or its wiring: relays, sensors, entities. */
export interface ComingThings {
  readonly device: string;
  /** Each has this property, a boolean that can be written, at any index. */
  readonly service: string;
  readonly property: string;
  /** IDs of three things, by which the device itself knows them. */
  readonly ids: readonly [string, string, string];
  /** The device has these things from now on, and lists them in this order. It reports that as a real one does. */
  have(ids: readonly string[]): void;
  /** IDs of the things that were commanded, in the order of the commands. */
  commanded(): readonly string[];
}

/** What a world may lack, or a driver be excused from, if it is named with the reason. */
export type Exemption =
  | "crowd"
  | "events"
  | "refusals"
  | "secrets"
  | "backoff"
  | "identify"
  | "raw values"
  | "things"
  | "repeats"
  | "early samples"
  | `flood of ${FloodKind}`;

/**
 * The device's side in memory, with one device that the driver finds by itself. Everything in it happens on the stage's clocks. It outlives
 * the driver: a second one finds what the first has left.
 */
export interface DriverWorld {
  readonly make: MakeDriver;
  /** The edgeId of the device. */
  readonly device: string;
  /** A boolean of it that can be read and written, and is false at first. */
  readonly property: PropertyAddress;
  /** How often the device has been asked to change it. */
  touched(): number;
  /** What it is at the device itself, known to others or not. */
  actual(): Value;
  /** The device answers no more, and answers again. */
  silence(): void;
  speak(): void;
  /** So long after a write the device acts and answers from now on, ms. It carries out the write also when the line ends meanwhile. */
  slow(ms: number): void;
  /** The line, the connection or the network is gone, with all that was under way; and is mended. */
  cut(): void;
  mend(): void;
  /** The device changes by its own doing, and reports that as a real one does. */
  change(value: Value): void;
  /** How often the driver has tried to open something towards the device, whether that succeeded or not. */
  tries(): number;
  /** What the driver holds open there now: connections, listeners, subscriptions. */
  held(): number;
  /** The names under which the driver's `status` counts what it left aside, at any depth of it. */
  readonly leftAside: readonly string[];

  /** More devices than the first, as many as the transport has room for up to `count`. Called before the driver is made. */
  crowd?(count: number): readonly CrowdDevice[];
  readonly event?: EventSource | undefined;
  /** The device refuses writes from now on, and does nothing. */
  refuse?(): void;
  /** Each says at once what its kind means, and returns how many things it has sent. */
  readonly floods?: Partial<Readonly<Record<FloodKind, () => number>>> | undefined;
  readonly rawValues?: RawValues | undefined;
  readonly things?: ComingThings | undefined;
  /** The device sends again what {@link DriverWorld.property} is, without having changed. */
  repeat?(): void;
  /** From now on the device answers a read with what the property was when the read came, so late as `slow` says. */
  sampleEarly?(): void;
  /** Texts of the driver's settings that must not be shown, in every spelling in which they might be seen. */
  readonly secrets?: readonly string[] | undefined;
}

/** Builds the world of one test. */
export type OpenWorld = (stage: Stage) => DriverWorld | Promise<DriverWorld>;

/** Stands between a driver and the hub: a supervisor, a process of its own. Gives what makes the driver that the hub sees. */
export type Through = (make: MakeDriver, stage: Stage) => MakeDriver;

export interface JudgeOptions {
  readonly through?: Through | undefined;
  /** What the driver is not judged on, each with why. What is not named here, the world must have. */
  readonly without?: Partial<Readonly<Record<Exemption, string>>> | undefined;
}

/** What the world has of that which it may lack. `backoff` and `identify` are no hands of it. */
export function handsOf(world: DriverWorld): Partial<Record<Exemption, boolean>> {
  const { crowd, event, refuse, floods, secrets, rawValues, things, repeat, sampleEarly } = world;
  return {
    "raw values": rawValues !== undefined,
    things: things !== undefined,
    repeats: repeat !== undefined,
    "early samples": sampleEarly !== undefined,
    crowd: crowd !== undefined,
    events: event !== undefined,
    refusals: refuse !== undefined,
    secrets: secrets !== undefined && secrets.length > 0,
    "flood of reports": floods?.reports !== undefined,
    "flood of garbage": floods?.garbage !== undefined,
    "flood of long messages": floods?.["long messages"] !== undefined,
  };
}

/** The optional hand, of a world that must have it. @throws Error when it has not */
export function given<T>(hand: T | undefined, name: Exemption): T {
  if (hand === undefined) throw new Error(`The world has no hand for ${name}, and \`without\` does not say why.`);
  return hand;
}

/** The few rounds of `npm test`, or the many that are asked for by `PORCHLIGHT_LONG=1`. */
export function judgeRounds(few: number, many: number): number {
  return process.env.PORCHLIGHT_LONG === "1" ? many : few;
}
