/** One run: a home of real processes, clients that never rest, faults on several tracks, calm, and the judgement. A seed repeats its plan. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { seededRandom, sleep, systemClock } from "@porchlight/shared/kernel";
import { calm } from "./calm.ts";
import { Asking } from "./clients/asking.ts";
import { looker, reader } from "./clients/readers.ts";
import { person, writer } from "./clients/writers.ts";
import { carryOut } from "./faults.ts";
import { type Judgement, judge } from "./judge/judge.ts";
import { storyOf } from "./judge/violation.ts";
import { SHUTTER_NAME } from "./matter/matter-node.ts";
import { BRIDGE, NODE_NAMES } from "./nodes.ts";
import { type PlannedFault, type PlanOptions, plan } from "./plan.ts";
import { HomeProcesses, type Running } from "./processes.ts";
import { type HomeRecord, machineTime } from "./record.ts";

export interface RunOptions {
  readonly seed: number;
  readonly nodes: number;
  /** How long faults go on, ms. */
  readonly lengthMs: number;
  /** Longest time between two faults of one track, ms. */
  readonly restMs: number;
  /** The files of the run: the record, the output of the processes, the acts of the devices. */
  readonly folder: string;
  /** There is a Matter device too. Needs root, for a network of its own. */
  readonly hasMatter?: boolean;
  /** The faults, when not by the seed. */
  readonly faults?: readonly PlannedFault[];
  /** Each WRITE reaches its device twice, as two: to see that the judge finds it. */
  readonly isLying?: boolean;
  /** Breaks the run off: faults end, processes end, nothing is judged. */
  readonly signal?: AbortSignal;
  /** Called with each fault as it begins. */
  readonly onFault?: (line: string) => void;
}

export interface RunResult {
  readonly judgement: Judgement;
  readonly record: HomeRecord;
  /** Of each violation, in their order. */
  readonly stories: readonly (readonly string[])[];
  /** From the last fault until all was at rest, ms. */
  readonly calmMs: number;
}

/** Load before the first fault and behind the last, ms. */
const AROUND_MS = 1000;

export async function run(options: RunOptions): Promise<RunResult> {
  const { seed, nodes, lengthMs, restMs, folder, isLying = false, hasMatter = false, signal } = options;
  await using stack = new AsyncDisposableStack();
  const processes = stack.use(await HomeProcesses.start({ folder, nodes, seed, hasMatter }));
  const { running } = processes;
  const { record, broken } = running;
  for (const line of broken.deviceLines.values()) line.fail({ isLying });
  const over = new AbortController();
  const asking = stack.use(new Asking(running, seededRandom(seed + 1), over.signal));
  const clients = startClients(asking);
  const begun = machineTime();
  await sleep(systemClock, "load alone", AROUND_MS, signal);
  const faults = options.faults ?? plan({ seed, lengthMs, restMs, targets: targetsOf(running), bridge: BRIDGE });
  await breakAll(running, faults, options);
  await sleep(systemClock, "load alone", AROUND_MS, signal).catch(() => undefined);
  over.abort(new Error("the run is over"));
  await Promise.all(clients);
  const ended = machineTime();
  heal(running);
  if (signal?.aborted !== true) await calm(asking);
  signal?.throwIfAborted();
  const calmMs = machineTime() - ended;
  const judgement = judge(record);
  const stories = judgement.violations.map((violation) => storyOf(violation, record, begun));
  keep(folder, record, running);
  return { judgement, record, stories, calmMs };
}

/** Ten clients, and a person at the devices. */
function startClients(asking: Asking): Promise<void>[] {
  return [
    writer(asking, "cloud", "single"),
    writer(asking, "cloud", "single"),
    writer(asking, "cloud", "keyed"),
    writer(asking, "cloud", "keyed"),
    writer(asking, "cloud", "queued"),
    writer(asking, "home", "single"),
    writer(asking, "home", "keyed"),
    reader(asking, "cloud", false),
    reader(asking, "home", false),
    reader(asking, "cloud", true),
    looker(asking),
    person(asking),
  ];
}

function targetsOf({ service, matterDevice }: Running): PlanOptions["targets"] {
  const cloud = service.parts.map(({ name }) => name) as [string, ...string[]];
  const always = { cloud, line: ["cloud"], hub: ["agent"], devices: NODE_NAMES } as const;
  if (matterDevice === undefined) return always;
  return { ...always, matter: [SHUTTER_NAME, "driver"], cable: [SHUTTER_NAME] };
}

/**
 * Settles when every fault is over. The tracks go on side by side. What takes longer than planned, as a start does on a busy machine,
 * moves the rest of its track, so that there is as much rest between two faults as was planned.
 */
async function breakAll(running: Running, faults: readonly PlannedFault[], options: RunOptions): Promise<void> {
  const { signal, onFault, lengthMs } = options;
  const begun = machineTime();
  const lasts = async (ms: number) => {
    if (ms > 0) await sleep(systemClock, "fault", ms, signal).catch(() => undefined);
  };
  const tracks = [...Map.groupBy(faults, ({ track }) => track).values()].map(async (track) => {
    let moved = 0;
    for (const fault of track) {
      const { at, forMs, name, target } = fault;
      if (at + moved + forMs > lengthMs) return;
      await lasts(begun + at + moved - machineTime());
      if (signal?.aborted) return;
      onFault?.(`${((machineTime() - begun) / 1000).toFixed(1)} s  ${fault.track}: ${name} ${target} for ${forMs} ms`);
      await carryOut(running.broken, fault, running.record, lasts);
      moved = Math.max(moved, machineTime() - begun - at - forMs);
    }
  });
  await Promise.all(tracks);
}

function heal({ service, broken }: Running): void {
  service.heal();
  broken.cable?.heal();
  for (const line of broken.deviceLines.values()) {
    line.heal();
    line.plug();
  }
}

function keep(folder: string, record: HomeRecord, { logs }: Running): void {
  const { frames, ...rest } = record;
  writeFileSync(join(folder, "record.json"), JSON.stringify(rest));
  writeFileSync(join(folder, "frames.jsonl"), frames.map((frame) => `${JSON.stringify(frame)}\n`).join(""));
  for (const [name, log] of Object.entries(logs())) writeFileSync(join(folder, `${name}.log`), log);
}
