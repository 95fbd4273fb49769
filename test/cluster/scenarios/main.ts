/** `npm run test:faults`: runs at length, one seed after another, until the time is over. It ends with 1 when a run found what cannot be true. */
import { parseArgs } from "node:util";
import { pick } from "@porchlight/shared/kernel";
import { FAULT_NAMES, type FaultName } from "./faults.ts";
import { reportOf } from "./report.ts";
import { run } from "./run.ts";

/** Each run has a cluster of its own, and lasts so long, ms. */
const RUN_MS = 120_000;
const USAGE = `npm run test:faults -- [--seed N] [--minutes M] [--scenario NAME] [--nodes N] [--hubs N] [--said]
  --seed      of the first run; the next has the next one. A seed repeats what is broken and when.
  --minutes   how long to go on with further seeds; one run when left out
  --scenario  one fault, again and again; all by chance when left out:
${FAULT_NAMES.map((name) => `              ${wordOf(name)}`).join("\n")}
  --nodes     3 when left out
  --hubs      6 when left out
  --said      what the nodes said last, too
`;

function wordOf(name: FaultName): string {
  return name.toLowerCase().replaceAll(" ", "-");
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      seed: { type: "string", default: "1" },
      minutes: { type: "string", default: "0" },
      scenario: { type: "string" },
      nodes: { type: "string", default: "3" },
      hubs: { type: "string", default: "6" },
      said: { type: "boolean", default: false },
    },
  });
  const [seed, minutes, nodes, hubs] = [values.seed, values.minutes, values.nodes, values.hubs].map(Number);
  const scenario = FAULT_NAMES.find((name) => wordOf(name) === values.scenario?.toLowerCase());
  if (values.scenario !== undefined && scenario === undefined) throw new TypeError(`no scenario ${values.scenario}`);
  if (seed === undefined || minutes === undefined || !nodes || !hubs || Number.isNaN(seed + minutes))
    throw new TypeError("numbers must be numbers");
  return { seed, minutes, nodes, hubs, scenario, said: values.said };
}

async function main(): Promise<number> {
  const { seed: first, minutes, nodes, hubs, scenario, said } = readOptions();
  const until = performance.now() + minutes * 60_000;
  let found = 0;
  let seed = first;
  do {
    const result = await run({
      seed,
      nodes,
      hubs,
      ownClocks: scenario === undefined || scenario === "a clock jumps",
      next: (random, ranMs) => (ranMs < RUN_MS ? (scenario ?? pick(random, FAULT_NAMES)) : undefined),
      onFault: (line) => process.stderr.write(`  ${line}\n`),
    });
    process.stdout.write(`${reportOf(seed, result)}\n`);
    if (said) process.stdout.write(`${result.stderr}\n`);
    found += result.violations.length;
    seed += 1;
  } while (performance.now() < until);
  process.stdout.write(`${seed - first} runs, ${found} violations\n`);
  return found === 0 ? 0 : 1;
}

try {
  // Not by itself: a connection that a client has left half open would hold the process.
  process.exit(await main());
} catch (error) {
  process.stderr.write(error instanceof TypeError ? `${error.message}\n${USAGE}` : `${error}\n`);
  process.exitCode = error instanceof TypeError ? 2 : 1;
}
