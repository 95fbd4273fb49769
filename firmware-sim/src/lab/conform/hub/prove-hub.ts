/** Proves a hub: waits until it calls, plays its nodes, runs the rules, and returns the report. */
import { Silence } from "../prove-node.ts";
import type { Follower, Rule, RuleReport } from "../rule.ts";
import { CBOR } from "../rules/cbor.ts";
import { FRAMING } from "../rules/framing.ts";
import { runRules } from "../run.ts";
import { HubBench, type HubBenchOptions } from "./hub-bench.ts";
import { HUB_DESCRIPTIONS } from "./rules/descriptions.ts";
import { HUB_LIFE } from "./rules/life.ts";
import { HUB_MESSAGES, HUB_NOISE } from "./rules/messages.ts";
import { HUB_OVERTAKEN } from "./rules/overtaken.ts";
import { HUB_REPORTS } from "./rules/reports.ts";
import { HUB_REQUESTS } from "./rules/requests.ts";
import { HUB_START } from "./rules/start.ts";

export interface ProveHubOptions extends HubBenchOptions, Follower {
  /** Name of the line in the report. */
  readonly where: string;
  /** The sentences of the protocol document. */
  readonly texts: ReadonlyMap<string, string>;
  readonly only?: readonly string[] | undefined;
  /** How long to wait for the hub's first call, ms. */
  readonly patience: number;
  /** Resolves with a sentence when it is certain that no hub will call. */
  readonly gone?: Promise<string> | undefined;
}

/**
 * Proves the hub at the other end of a line.
 * @throws Silence when nothing arrives from there
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

/**
 * Every rule for hubs, in the order of the proofs. WHO comes first, because a hub that was just started is sending it; noise comes
 * last.
 */
const HUB_RULES: readonly Rule<HubBench>[] = [
  ...HUB_START.filter(({ id }) => id === "S3"),
  ...FRAMING,
  ...CBOR,
  ...HUB_MESSAGES,
  ...HUB_REPORTS,
  ...HUB_DESCRIPTIONS,
  ...HUB_REQUESTS,
  ...HUB_OVERTAKEN,
  ...HUB_START.filter(({ id }) => id !== "S3"),
  ...HUB_LIFE,
  HUB_NOISE,
];

const NODE = "This rule applies only to nodes.";
const COMMAND = "This rule can be checked only while somebody sets a property through the hub.";

const REASONS: readonly (readonly [reason: string, ...ids: string[]])[] = [
  ["This line does not show how the hub opens a port.", "L1"],
  ["This line is not a network connection.", "L2", "L3"],
  ["A hub accepts every node on a serial line.", "L4"],
  ["This line is never closed.", "L6"],
  [COMMAND, "B3", "B6", "B8", "V5"],
  [NODE, "L5", "M7", "E1", "S1", "S2", "S6", "B5", "B10"],
  [NODE, "R1", "R2", "R3", "R4", "R5", "R6", "R7"],
  [NODE, "P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8", "P11"],
];

/** Why a number of the document has no rule for a hub. */
export const UNPROVED_OF_HUBS: Readonly<Record<string, string>> = Object.fromEntries(
  REASONS.flatMap(([reason, ...ids]) => ids.map((id) => [id, reason])),
);
