/** Proves a hub: waits until it calls, plays its nodes, goes through the rules, and gives the report. */
import type { Follower, RuleReport } from "../rule.ts";
import { runRules } from "../run.ts";
import { Silence } from "../silence.ts";
import { HubBench, type HubBenchOptions } from "./hub-bench.ts";
import { HUB_RULES, UNPROVED_OF_HUBS } from "./hub-rules.ts";

export interface ProveHubOptions extends HubBenchOptions, Follower {
  /** What the line is called in the report. */
  readonly where: string;
  /** The sentences of the protocol document. */
  readonly texts: ReadonlyMap<string, string>;
  readonly only?: readonly string[] | undefined;
  /** How long the hub may take to call, ms. */
  readonly patience: number;
  /** Settles, with a sentence, when it is known that no hub will call. */
  readonly gone?: Promise<string> | undefined;
}

/**
 * Proves what stands at the other end of a line.
 * @throws Silence when nothing at all comes from there
 */
export async function proveHub(options: ProveHubOptions): Promise<RuleReport> {
  const { clock, texts, only, quick, onBegin, onResult, where, patience, gone } = options;
  const bench = new HubBench(options);
  const startedAt = clock.now();
  const from = clock.monotonic();
  try {
    const call = bench.next(bench.mark, patience, ({ message }) => message.type === "WHO");
    const late = `No hub has connected within ${Math.round(patience / 1000)} s: nothing was received.`;
    const why = await Promise.race([call.then(() => late), ...(gone === undefined ? [] : [gone])]);
    if (bench.bytes === 0) throw new Silence(why);
    const unproved = UNPROVED_OF_HUBS;
    const { results, stopped } = await runRules(HUB_RULES, bench, { texts, only, quick, onBegin, onResult, unproved });
    const subject = bench.hubId === undefined ? `hub on ${where}` : `hub ${bench.hubId} on ${where}`;
    return { subject, startedAt, ms: clock.monotonic() - from, results, stopped };
  } finally {
    bench.end();
  }
}
