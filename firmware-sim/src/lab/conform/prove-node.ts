/** Proves a node: greets it, learns what it declares, goes through the rules, and gives the report. */
import { NodeBench, type NodeBenchOptions } from "./node-bench.ts";
import { NODE_RULES, UNPROVED } from "./node-rules.ts";
import { type Follower, type RuleReport, Unreachable } from "./rule.ts";
import { runRules } from "./run.ts";
import { Silence } from "./silence.ts";

export interface ProveNodeOptions extends Omit<NodeBenchOptions, "quick">, Follower {
  /** What the line is called in the report. */
  readonly where: string;
  /** The sentences of the protocol document. */
  readonly texts: ReadonlyMap<string, string>;
  readonly only?: readonly string[] | undefined;
  readonly quick?: boolean | undefined;
}

/**
 * Proves what stands at the other end of a line.
 * @throws Silence when nothing at all comes from there
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

/** Greets and learns; why it could not, when it could not. @throws Silence */
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
