/** Proves a node: greets it, reads its descriptions, runs the rules, and returns the report. */
import { NodeBench, type NodeBenchOptions } from "./node-bench.ts";
import { type Follower, type Rule, type RuleReport, Unreachable } from "./rule.ts";
import { CBOR, NODE_FORMS } from "./rules/cbor.ts";
import { DESCRIPTIONS } from "./rules/descriptions.ts";
import { ERRORS } from "./rules/errors.ts";
import { FRAMING, NODE_NOISE } from "./rules/framing.ts";
import { LIFE } from "./rules/life.ts";
import { MESSAGES } from "./rules/messages.ts";
import { REFUSAL } from "./rules/refusal.ts";
import { REPETITIONS } from "./rules/repetitions.ts";
import { REPORTS } from "./rules/reports.ts";
import { REQUESTS } from "./rules/requests.ts";
import { START } from "./rules/start.ts";
import { runRules } from "./run.ts";

export interface ProveNodeOptions extends Omit<NodeBenchOptions, "quick">, Follower {
  /** Name of the line in the report. */
  readonly where: string;
  /** The sentences of the protocol document. */
  readonly texts: ReadonlyMap<string, string>;
  readonly only?: readonly string[] | undefined;
  readonly quick?: boolean | undefined;
}

/**
 * Proves the node at the other end of a line.
 * @throws Silence when nothing arrives from there
 */
export async function proveNode(options: ProveNodeOptions): Promise<RuleReport> {
  const { clock, texts, only, quick, onBegin, onResult, where } = options;
  const bench = new NodeBench(options);
  const startedAt = clock.now();
  const from = clock.monotonic();
  try {
    const lost = await met(bench);
    const { results, stopped } = await runRules(NODE_RULES, bench, {
      texts,
      only,
      quick,
      onBegin,
      onResult,
      lost,
      unproved: UNPROVED,
    });
    const id = bench.hello?.id;
    const subject = id === undefined ? where : `${id} on ${where}`;
    return { subject, startedAt, ms: clock.monotonic() - from, results, stopped };
  } finally {
    bench.end();
  }
}

/** Greets the node and reads its descriptions; returns why that failed, if it did. @throws Silence */
async function met(bench: NodeBench): Promise<Unreachable | undefined> {
  try {
    await bench.learn();
    return undefined;
  } catch (failure) {
    if (!(failure instanceof Unreachable)) throw failure;
    if (bench.bytes === 0) throw new Silence("Nothing was received within 12 s, although WHO was sent every second.");
    return failure;
  }
}

/** Every rule for nodes, in the order of the proofs. Long ones and noise come last, so that a reader has seen most results by then. */
export const NODE_RULES: readonly Rule<NodeBench>[] = [
  ...FRAMING,
  ...[...CBOR, NODE_FORMS].toSorted((one, other) => one.id.localeCompare(other.id)),
  ...MESSAGES,
  ...ERRORS,
  ...DESCRIPTIONS,
  ...REQUESTS,
  ...REPETITIONS,
  ...REPORTS,
  ...START,
  ...LIFE,
  ...REFUSAL,
  NODE_NOISE,
];

const HUB = "This rule applies only to hubs.";

/** Why a number of the document has no rule for a node. */
export const UNPROVED: Readonly<Record<string, string>> = {
  L1: HUB,
  L2: "This line does not show what is announced on the network.",
  L3: "The keys and versions of TLS were chosen when this line was opened, or TLS is not used.",
  L4: HUB,
  M11: HUB,
  S4: HUB,
  S5: HUB,
  B3: HUB,
  B4: HUB,
  B6: HUB,
  B7: HUB,
  B8: HUB,
  B9: HUB,
  B10: "The line does not show what a property is when an answer leaves.",
  P9: HUB,
  P10: HUB,
  V1: HUB,
  V2: HUB,
  V3: HUB,
  V5: HUB,
  X1: HUB,
  X2: HUB,
  E2: HUB,
};

/** Not one byte arrived: the only case in which a proof yields no report. */
export class Silence extends Error {
  override readonly name = "Silence";
}
