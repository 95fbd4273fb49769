/** The report of a run: acts, faults and their counts, the worst times, and violations, each with its history. */
import type { Timing } from "./judge/judge-time.ts";
import type { RunOptions, RunResult } from "./run.ts";

/** So many violations are shown whole; one cause makes many. */
const MOST_SHOWN = 12;

export function reportOf({ seed, nodes, folder }: RunOptions, result: RunResult): string {
  const { judgement, record, stories, calmMs } = result;
  const { violations, timing, counts } = judgement;
  const faults = Map.groupBy(record.faults, ({ track, name }) => `${track}: ${name}`);
  const broken = [...faults].map(([name, list]) => `${name} ${list.length}`).toSorted();
  const rules = [...Map.groupBy(violations, ({ rule }) => rule)].map(([rule, list]) => `${rule} ${list.length}`);
  return [
    `seed ${seed}, ${nodes} ${nodes === 1 ? "node" : "nodes"}: ${record.faults.length} faults (${broken.join(", ")})`,
    ...Object.entries(counts).map(([name, count]) => `  ${name}: ${count}`),
    `  latest act: ${Math.round(timing.worstMs)} ms after its deadline`,
    `  late by a stopped process: ${lateOf(timing)}`,
    `  longest answer: ${Math.round(worstAnswer(result))} ms after the wait that was asked for`,
    `  at rest after ${Math.round(calmMs / 100) / 10} s`,
    `  ${violations.length} violations${rules.length > 0 ? ` (${rules.join(", ")})` : ""}`,
    ...violations.slice(0, MOST_SHOWN).flatMap(({ rule, text }, at) => {
      const story = stories[at] ?? [];
      return [`    ${rule}: ${text}`, ...story.map((line) => `      ${line}`)];
    }),
    `  all of it is in ${folder}`,
  ].join("\n");
}

/** How many acts were late by each excuse, and the latest. */
function lateOf({ late }: Timing): string {
  const byExcuse = [...Map.groupBy(late, ({ excuse }) => excuse)].map(([excuse, list]) => {
    const most = Math.max(...list.map(({ ms }) => ms));
    return `${excuse} ${list.length} (the latest ${Math.round(most)} ms after its deadline)`;
  });
  return byExcuse.join(", ") || "none";
}

/** How much longer than its wait an answered write took at most, ms. */
function worstAnswer({ record }: RunResult): number {
  const over = record.writes
    .filter(({ kind }) => kind !== "queued")
    .flatMap(({ asks, waitMs }) => asks.map(({ begin, end = begin }) => end - begin - waitMs));
  return over.reduce((most, each) => Math.max(most, each), 0);
}
