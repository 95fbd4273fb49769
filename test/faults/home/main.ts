/** `npm run test:faults -- --home`: runs at length against a home of real processes. It ends with 1 when a run found what cannot be true. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { reportOf } from "./report.ts";
import { run } from "./run.ts";

const USAGE = `npm run test:faults -- --home [--seed N] [--minutes M] [--nodes 1|3] [--rest S] [--no-matter] [--lie]
  --seed     which faults come when; another for another run
  --minutes  how long faults go on; 2 when left out
  --nodes    1 on SQLite (when left out), or 3 over PostgreSQL and NATS
  --rest     longest time between two faults of one track, seconds; 5 when left out
  --no-matter  without the Matter device, which needs root, for a network of its own
  --lie      every write reaches its device twice: to see that it is found
`;

interface Options {
  readonly seed: number;
  readonly minutes: number;
  readonly nodes: number;
  readonly rest: number;
  readonly matter: boolean;
  readonly lie: boolean;
}

/** @throws TypeError */
function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      home: { type: "boolean" },
      seed: { type: "string", default: "1" },
      minutes: { type: "string", default: "2" },
      nodes: { type: "string", default: "1" },
      rest: { type: "string", default: "5" },
      matter: { type: "boolean", default: true },
      lie: { type: "boolean", default: false },
    },
    allowNegative: true,
  });
  const [seed, minutes, nodes, rest] = [values.seed, values.minutes, values.nodes, values.rest].map(Number);
  if (!Number.isSafeInteger(seed) || seed === undefined) throw new TypeError("the seed must be a whole number");
  if (!(minutes && minutes > 0 && rest && rest > 0)) throw new TypeError("times must be more than 0");
  if (nodes !== 1 && nodes !== 3) throw new TypeError("there are 1 or 3 nodes");
  return { seed, minutes, nodes, rest, matter: values.matter, lie: values.lie };
}

async function main(): Promise<number> {
  const { seed, minutes, nodes, rest, matter, lie } = readOptions();
  const end = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => end.abort());
  const options = {
    seed,
    nodes,
    lengthMs: minutes * 60_000,
    restMs: rest * 1000,
    folder: mkdtempSync(join(tmpdir(), `porchlight-home-faults-${seed}-`)),
    hasMatter: matter,
    isLying: lie,
    signal: end.signal,
    onFault: (line: string) => process.stderr.write(`  ${line}\n`),
  };
  // What Ctrl-C has ended besides fails with its own message, which explains less.
  const result = await run(options).catch((error: unknown) => {
    throw end.signal.aborted ? new Error(`broken off; ${options.folder} has what was kept`) : error;
  });
  process.stdout.write(`${reportOf(options, result)}\n`);
  return result.judgement.violations.length === 0 ? 0 : 1;
}

try {
  // Not by itself: a connection that a client has left half open would hold the process.
  process.exit(await main());
} catch (error) {
  process.stderr.write(error instanceof TypeError ? `${error.message}\n${USAGE}` : `${error}\n`);
  process.exit(error instanceof TypeError ? 2 : 1);
}
