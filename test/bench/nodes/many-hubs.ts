/**
 * Thousands of light hubs in one process, which take the nodes in turn. On stdin: `report` has
 * each tell one value, `speed N` makes their time go by so fast, `tell` says on stdout as JSON how they are, `again` forgets when
 * each last came.
 */
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Ending } from "@porchlight/agent/uplink/tunnel/ending.ts";
import { UPLINK_SETTINGS } from "@porchlight/agent/uplink/uplink.ts";
import { monotonicZero, seededRandom } from "@porchlight/shared/kernel";
import { LightHub } from "../../cluster/hubs/light-hub.ts";
import type { Truth } from "../../cluster/hubs/truth.ts";
import { HurriedClock } from "./hurried-clock.ts";

export interface ManyHubsPlan {
  /** Of the nodes, on loopback. */
  readonly ports: readonly number[];
  /** Number of the first of them. */
  readonly first: number;
  readonly clients: readonly { readonly id: string; readonly token: string }[];
}

export interface ManyHubsTold {
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

/** So many begin at once: slowly enough for what nodes let in, with all processes. */
const STEP = 25;
const STEP_MS = 250;
/** Whatever stands for a second has stood for long, as in earnest: how the first connections came about is not what is measured. */
const POLICY = { ...UPLINK_SETTINGS, backoff: { ...UPLINK_SETTINGS.backoff, stableMs: 1_000 } };

const plan: ManyHubsPlan = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
const clock = new HurriedClock();
const random = seededRandom(plan.first);
const truth: Truth = { acts: [], reports: [], connections: [] };
const hubs: LightHub[] = [];
let reported = 0;
let turn = plan.first;
// As a name with several addresses would: no balancer must be measured with them.
const url = () => `http://127.0.0.1:${plan.ports[turn++ % plan.ports.length]}`;
let endings: Record<string, number> = {};
const ended = (ending: Ending) => {
  const way = ending.kind === "refused" ? `refused with ${ending.status}` : ending.kind;
  endings[way] = (endings[way] ?? 0) + 1;
};

for (let at = 0; at < plan.clients.length; at += STEP) {
  for (const [index, { id: clientId, token }] of plan.clients.slice(at, at + STEP).entries()) {
    const number = plan.first + at + index;
    hubs.push(
      LightHub.start({ clock, random, clientId, token, number, devices: 1, url, truth, policy: POLICY, ended }),
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
  if (command === "tell") process.stdout.write(`${JSON.stringify(tell())}\n`);
  if (command === "report") {
    reported += 1;
    for (const hub of hubs) for (const edgeId of hub.devices.edgeIds) hub.report(edgeId, reported);
  }
});

function tell(): ManyHubsTold {
  // The hubs' time is ahead by what was hurried, and goes by as the machine's when it is asked for.
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
