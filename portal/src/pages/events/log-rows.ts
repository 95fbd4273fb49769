/** What of the log is drawn, the newest first: events, and a row for everything that is not here. Pure. */
import type { PorchlightEvent } from "@porchlight/sdk";
import type { LogView } from "./log-view.ts";

/** Sequences that are not here, both ends included. */
export interface Absence {
  readonly first: number;
  readonly last: number;
}

export type Row =
  | { readonly kind: "event"; readonly event: PorchlightEvent }
  /** They can be loaded. @see at above everything, between two runs, or below everything */
  | ({ readonly kind: "missing"; readonly at: "newest" | "between" | "oldest" } & Absence)
  /** The service keeps them no more. */
  | ({ readonly kind: "deleted" } & Absence)
  /** The log has nothing before. */
  | { readonly kind: "beginning" };

export function logRows({ runs, oldest, newest }: LogView): Row[] {
  const rows: Row[] = [];
  let above: number | undefined;
  for (const run of runs.toReversed()) {
    if (above !== undefined) rows.push(...absent(run.last + 1, above - 1, oldest, "between"));
    else rows.push(...absent(run.last + 1, newest, oldest, "newest"));
    for (const event of run.events.toReversed()) rows.push({ kind: "event", event });
    above = run.first;
  }
  if (above === undefined) return rows;
  if (above <= 1) return [...rows, { kind: "beginning" }];
  return [...rows, ...absent(1, above - 1, oldest, "oldest")];
}

/** What is missing from one sequence to another: what can be loaded above what is no longer kept. */
function absent(first: number, last: number, oldest: number, at: "newest" | "between" | "oldest"): Row[] {
  const rows: Row[] = [];
  if (last >= Math.max(first, oldest)) rows.push({ kind: "missing", at, first: Math.max(first, oldest), last });
  if (first <= Math.min(last, oldest - 1)) rows.push({ kind: "deleted", first, last: Math.min(last, oldest - 1) });
  return rows;
}
