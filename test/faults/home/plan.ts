/** Which faults come when: a pure function of a seed, tracks side by side, so that a seed repeats them. */
import { pick, type Random, randomInteger, seededRandom } from "@porchlight/shared/kernel";

export interface PlannedFault {
  readonly track: Track;
  readonly name: FaultName;
  /** A part, a device's node, or the line to the service. */
  readonly target: string;
  /** Ms from the beginning, and how long it lasts. */
  readonly at: number;
  readonly forMs: number;
  /** From 0 to 1: how bad it is, where that is known. */
  readonly amount: number;
}

export type Track = "cloud" | "line" | "hub" | "devices" | "matter" | "cable";

interface Kind {
  /** Bounds of how long it lasts, ms. */
  readonly forMs: readonly [number, number];
  /** The same for one in eight: longer than a lease. */
  readonly rarelyMs?: readonly [number, number];
}

const FLASH: Kind = { forMs: [0, 0] };
const SHORT: Kind = { forMs: [300, 4000] };
const DEAD: Kind = { forMs: [100, 3000] };
/** Longer than a node waits for its hub, which is then back at HELLO. */
const UNACKNOWLEDGED: Kind = { forMs: [8500, 12_000] };
const STOPPED: Kind = { forMs: [200, 6000], rarelyMs: [15_500, 19_000] };

export const KINDS = {
  cloud: { kill: DEAD, stop: STOPPED },
  line: {
    late: SHORT,
    "hold up": STOPPED,
    "hold down": STOPPED,
    refuse: SHORT,
    cut: FLASH,
    "swallow up": STOPPED,
    "swallow down": STOPPED,
    "swallow both": STOPPED,
  },
  hub: { kill: DEAD, stop: STOPPED, "stop unanswered": UNACKNOWLEDGED },
  devices: {
    kill: DEAD,
    stop: STOPPED,
    reboot: FLASH,
    garbage: FLASH,
    damage: SHORT,
    "lose requests": SHORT,
    "lose answers": SHORT,
    slow: SHORT,
    hold: SHORT,
    busy: FLASH,
    stale: SHORT,
    forget: FLASH,
    unplug: SHORT,
    leave: SHORT,
  },
  // The Matter device and the process of its driver, and what lies between the device and the hub.
  matter: { kill: DEAD, stop: STOPPED },
  cable: { pull: SHORT, "silence hub": STOPPED, "silence device": STOPPED, "silence both": STOPPED },
} as const satisfies Record<Track, Record<string, Kind>>;

export type FaultName = { [T in Track]: keyof (typeof KINDS)[T] }[Track];

export interface PlanOptions {
  readonly seed: number;
  readonly lengthMs: number;
  /** Longest time between two faults of one track, ms. */
  readonly restMs: number;
  /** The targets of each track; a track that is left out has no faults. */
  readonly targets: Readonly<Partial<Record<Track, readonly [string, ...string[]]>>>;
  /** Where a device leaves. */
  readonly bridge: string;
}

const TRACKS = Object.keys(KINDS) as Track[];
/** Shortest time between two faults of one track, ms. */
const LEAST_REST_MS = 200;

/** Every fault, in the order of its beginning; the last is over when the length is. */
export function plan(options: PlanOptions): PlannedFault[] {
  // A track's chance is its own, so that another track's targets do not move it.
  const tracks = TRACKS.flatMap((track, number) => planTrack(track, options, seededRandom(options.seed * 10 + number)));
  return tracks.toSorted((one, other) => one.at - other.at);
}

function planTrack(track: Track, { lengthMs, restMs, targets, bridge }: PlanOptions, random: Random): PlannedFault[] {
  const planned: PlannedFault[] = [];
  const own = targets[track];
  if (!own) return planned;
  const kinds = Object.entries(KINDS[track]) as [[FaultName, Kind], ...[FaultName, Kind][]];
  for (let at = between(random, [0, restMs]); ; ) {
    const [name, { forMs, rarelyMs }] = pick(random, kinds);
    const lasts = between(random, rarelyMs && randomInteger(random, 8) === 0 ? rarelyMs : forMs);
    const target = name === "leave" ? bridge : pick(random, own);
    if (at + lasts > lengthMs) return planned;
    planned.push({ track, name, target, at, forMs: lasts, amount: random.fraction() });
    at += lasts + between(random, [LEAST_REST_MS, restMs]);
  }
}

function between(random: Random, [least, most]: readonly [number, number]): number {
  return Math.round(least + random.fraction() * (most - least));
}
