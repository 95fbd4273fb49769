/**
 * Thousands of light hubs in one process. Commands on stdin: `report` makes each report a value, `speed N` sets how fast their time passes,
 * `tell` prints their state as JSON, `again` forgets when each was last welcomed.
 */
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Ending } from "@porchlight/agent/uplink/ending.ts";
import { UPLINK_SETTINGS } from "@porchlight/agent/uplink/uplink.ts";
import { type Clock, monotonicZero, seededRandom, systemClock, type Timer } from "@porchlight/shared/kernel";
import { LightHub } from "../test/cluster/hubs/light-hub.ts";
import type { Truth } from "../test/cluster/hubs/truth.ts";

export interface ManyHubsPlan {
  /** Of the cloud. */
  readonly url: string;
  /** Number of the first of them. */
  readonly first: number;
  readonly clients: readonly HubClient[];
}

export interface HubClient {
  readonly id: string;
  readonly token: string;
}

export interface HubsState {
  readonly live: number;
  readonly queued: number;
  /** When the first and the last hub was welcomed since `again`, ms since the machine's start; 0 when none was. */
  readonly firstAt: number;
  readonly lastAt: number;
  /** When 99 of 100 had been. */
  readonly mostAt: number;
  /** How many hubs were welcomed since then, and how many times. */
  readonly came: number;
  readonly welcomes: number;
  /** How attempts and connections have ended since then: how many of each way. */
  readonly endings: Readonly<Record<string, number>>;
}

interface Pending {
  readonly due: number;
  readonly fire: () => void;
  timer: Timer;
}

/** The clock of the machine at a speed of its own: ten minutes without a service pass in half of one. */
class HurriedClock implements Clock {
  #speed = 1;
  #from = systemClock.monotonic();
  #atFrom = systemClock.monotonic();
  readonly #pending = new Set<Pending>();

  /** The wall clock, which is not hurried: it is only for timestamps. */
  now(): number {
    return systemClock.now();
  }

  monotonic(): number {
    return this.#atFrom + (systemClock.monotonic() - this.#from) * this.#speed;
  }

  timer(name: string, ms: number, fire: () => void): Timer {
    const pending = { due: this.monotonic() + ms, fire, timer: { cancel: () => undefined } };
    this.#pending.add(pending);
    this.#arm(pending, name);
    return {
      cancel: () => {
        pending.timer.cancel();
        this.#pending.delete(pending);
      },
    };
  }

  /** Sets how many seconds pass in one from now on. */
  run(speed: number): void {
    this.#atFrom = this.monotonic();
    this.#from = systemClock.monotonic();
    this.#speed = speed;
    for (const pending of this.#pending) this.#arm(pending, "hurried");
  }

  #arm(pending: Pending, name: string): void {
    pending.timer.cancel();
    pending.timer = systemClock.timer(name, (pending.due - this.monotonic()) / this.#speed, () => {
      this.#pending.delete(pending);
      pending.fire();
    });
  }
}

/** So many begin at once: slowly enough for what nodes let in, with all processes. */
const STEP = 25;
const STEP_MS = 250;
/** A connection that stands for a second counts as old, as in production: how the first connections came about is not measured. */
const POLICY = { ...UPLINK_SETTINGS, backoff: { ...UPLINK_SETTINGS.backoff, stableMs: 1_000 } };

const plan: ManyHubsPlan = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
const clock = new HurriedClock();
const random = seededRandom(plan.first);
const truth: Truth = { acts: [], reports: [], connections: [] };
const hubs: LightHub[] = [];
let reported = 0;
let endings: Record<string, number> = {};
const ended = (ending: Ending) => {
  const way = ending.kind === "refused" ? `refused with ${ending.status}` : ending.kind;
  endings[way] = (endings[way] ?? 0) + 1;
};

for (let at = 0; at < plan.clients.length; at += STEP) {
  for (const [index, { id: clientId, token }] of plan.clients.slice(at, at + STEP).entries()) {
    const number = plan.first + at + index;
    hubs.push(
      LightHub.start({
        clock,
        random,
        clientId,
        token,
        number,
        devices: 1,
        url: plan.url,
        truth,
        policy: POLICY,
        ended,
      }),
    );
  }
  await new Promise((resolve) => setTimeout(resolve, STEP_MS));
}
process.stdout.write("ready\n");

createInterface({ input: process.stdin }).on("line", (line) => {
  const [command, word = "1"] = line.split(" ");
  if (command === "speed") clock.run(Number(word));
  if (command === "again") {
    truth.connections.length = 0;
    endings = {};
  }
  if (command === "tell") process.stdout.write(`${JSON.stringify(hubsState())}\n`);
  if (command === "report") {
    reported += 1;
    for (const hub of hubs) for (const edgeId of hub.devices.edgeIds) hub.report(edgeId, reported);
  }
});

function hubsState(): HubsState {
  // The hubs' time is ahead by the hurried time, and goes by as the machine's when it is asked for.
  const shift = monotonicZero() - (clock.monotonic() - performance.now());
  const times = truth.connections.map(({ from }) => from + shift).sort((one, other) => one - other);
  return {
    live: hubs.filter(({ live }) => live).length,
    queued: hubs.reduce((sum, { queued }) => sum + queued, 0),
    firstAt: times[0] ?? 0,
    lastAt: times.at(-1) ?? 0,
    mostAt: times[Math.floor(times.length * 0.99)] ?? 0,
    came: new Set(truth.connections.map(({ hub }) => hub)).size,
    welcomes: truth.connections.length,
    endings,
  };
}
