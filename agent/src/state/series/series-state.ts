/**
 * What is open of each series, in memory: it is made again from the changes of its last hour when it is first needed, so that a change
 * writes one row and no sums, and a start of the agent reads nothing.
 */
import type { HistoryKind } from "@porchlight/shared/api";
import { type Interval, recordChange, type SeriesState, startOf } from "@porchlight/shared/history";
import type { ChangeRow, Series, SeriesRows } from "./series-rows.ts";

export class SeriesStates {
  readonly #rows: SeriesRows;
  readonly #gapsSince: (device: string, at: number) => readonly Interval[];
  readonly #states = new Map<number, SeriesState>();

  /** @param gapsSince what of the time since then was not known of a device; merged */
  constructor(rows: SeriesRows, gapsSince: (device: string, at: number) => readonly Interval[]) {
    this.#rows = rows;
    this.#gapsSince = gapsSince;
  }

  /** Undefined while nothing is recorded. */
  get(series: Series): SeriesState | undefined {
    const known = this.#states.get(series.number);
    if (known) return known;
    const made = this.#make(series);
    if (made) this.#states.set(series.number, made);
    return made;
  }

  set(series: Series, state: SeriesState): void {
    this.#states.set(series.number, state);
  }

  /** Of everything, because what is stored is no longer what it was made from. */
  clear(): void {
    this.#states.clear();
  }

  #make(series: Series): SeriesState | undefined {
    const last = this.#rows.lastBefore(series, Number.MAX_SAFE_INTEGER);
    if (!last) return undefined;
    const hour = startOf("hours", last.at);
    const before = this.#rows.lastBefore(series, hour);
    const changes = this.#rows.changes(series, hour, last.at + 1, undefined, -1);
    const first = before ?? changes[0];
    return (
      first &&
      stateAfter(series.kind, before ? [before, ...changes] : changes, this.#gapsSince(series.device, first.at))
    );
  }
}

/** What is open after changes that follow each other. */
function stateAfter(
  kind: HistoryKind,
  changes: readonly ChangeRow[],
  gaps: readonly Interval[],
): SeriesState | undefined {
  let state: SeriesState | undefined;
  for (const change of changes) state = recordChange(kind, state, change, gaps).state;
  return state;
}
