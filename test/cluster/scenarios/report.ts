/** The report of a run: how it is repeated, what was broken how often, how much was judged, and what was found. */
import type { RunResult } from "./run.ts";

/** So many violations are printed; one cause makes many. */
const MOST_SHOWN = 40;

export function reportOf(seed: number, { faults, counts, violations }: RunResult): string {
  const broken = [...Map.groupBy(faults, (name) => name)].map(([name, list]) => `${name} ${list.length}`);
  const judged = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
  return [
    `seed ${seed}: ${faults.length} faults (${broken.join(", ")})`,
    `  ${judged.join(", ")}`,
    `  ${violations.length} violations`,
    ...violations.slice(0, MOST_SHOWN).map((violation) => `    ${violation}`),
  ].join("\n");
}
