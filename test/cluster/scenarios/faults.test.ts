/** Several nodes under every kind of fault, in one run of few minutes' worth of clients: nothing acknowledged is lost, nothing done twice, and no answer is false. At length: `npm run test:faults`. */
import { expect, test } from "vitest";
import { casesOf } from "../../parts/rounds.ts";
import type { FaultName } from "./faults.ts";
import { reportOf } from "./report.ts";
import { run } from "./run.ts";

const SEED = 1;
/** As many hubs, and as much to do, as a fault needs to meet writes, reads and reports everywhere: each takes its part of a processor. */
const LOAD = { hubs: 3, rest: 3 };
/** A node dies, what all share dies, a line between nodes and one to the hubs breaks; at length each part dies and each line breaks. The longer faults are `npm run test:faults`. */
const FAULTS = casesOf<FaultName>(
  ["kill a node", "cut a node from NATS", "kill PostgreSQL", "cut the hubs"],
  ["kill NATS", "cut a node from PostgreSQL", "stop a node for a moment"],
);

test("answers and events of several nodes are true while nodes, NATS and PostgreSQL die and lines break", {
  timeout: 300_000,
}, async () => {
  const left = FAULTS.values();
  const result = await run({ seed: SEED, ...LOAD, next: () => left.next().value });
  console.info(reportOf(SEED, result));
  expect(result.violations, result.stderr).toEqual([]);
});
