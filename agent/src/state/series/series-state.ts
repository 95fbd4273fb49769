/**
 * The open state of each series, in memory, with the complete steps of its open hour. It is rebuilt from the changes of that hour
 * on first use, so that a change writes one row and no sums, and a start of the agent reads nothing.
 */
import type { HistoryKind } from "@porchlight/shared/api";
import {
  type Bucket,
  type Interval,
  type Recorded,
  recordChange,
  type SeriesState,
  type Step,
  startOf,
} from "@porchlight/shared/history";
import type { ChangeRow, Series, SeriesRows } from "./series-rows.ts";

interface Open {
  readonly state: SeriesState;
  /** Complete steps of the open hour, in order: they are written when the hour ends. */
  readonly waiting: Recorded["closed"];
}

export class SeriesStates {
  readonly #rows: SeriesRows;
  readonly #gapsSince: (series: Series, at: number) => readonly Interval[];
  readonly #open = new Map<number, Open>();

  /** @param gapsSince returns the merged gaps of a property since that time */
  constructor(rows: SeriesRows, gapsSince: (series: Series, at: number) => readonly Interval[]) {
    this.#rows = rows;
    this.#gapsSince = gapsSince;
  }

  /** Undefined while nothing is recorded. */
  get(series: Series): SeriesState | undefined {
    return this.#of(series)?.state;
  }

  /** Complete steps that are not written yet, in order. */
  waiting(series: Series, step: Step): readonly Bucket[] {
    const waiting = this.#of(series)?.waiting ?? [];
    return waiting.filter((each) => each.step === step).map(({ bucket }) => bucket);
  }

  /** Takes the new state of a series after a change; returns the steps to write: all steps of an hour once it is complete. */
  record(series: Series, { state, closed }: Recorded): Recorded["closed"] {
    const waiting = this.#open.get(series.number)?.waiting ?? [];
    const isHourOver = closed.some(({ step }) => step === "hours");
    const all = closed.length === 0 ? waiting : [...waiting, ...closed];
    this.#open.set(series.number, { state, waiting: isHourOver ? [] : all });
    return isHourOver ? all : [];
  }

  /** Drops the state of a series whose change was not written: it is rebuilt from its rows. */
  forget({ number }: Series): void {
    this.#open.delete(number);
  }

  /** Drops all states, because the stored rows have changed under them. */
  clear(): void {
    this.#open.clear();
  }

  #of(series: Series): Open | undefined {
    const known = this.#open.get(series.number);
    if (known) return known;
    const made = this.#make(series);
    if (made) this.#open.set(series.number, made);
    return made;
  }

  #make(series: Series): Open | undefined {
    const last = this.#rows.lastBefore(series, Number.MAX_SAFE_INTEGER);
    if (!last) return undefined;
    const hour = startOf("hours", last.at);
    const before = this.#rows.lastBefore(series, hour);
    const changes = this.#rows.changes(series, hour, last.at + 1, undefined, -1);
    const first = before ?? changes[0];
    if (!first) return undefined;
    const open = openAfter(series.kind, before ? [before, ...changes] : changes, this.#gapsSince(series, first.at));
    // The steps of earlier hours are written already.
    return open && { ...open, waiting: open.waiting.filter(({ bucket }) => bucket.start >= hour) };
  }
}

/** The open state after consecutive changes. */
function openAfter(kind: HistoryKind, changes: readonly ChangeRow[], gaps: readonly Interval[]): Open | undefined {
  let state: SeriesState | undefined;
  const waiting: Recorded["closed"][number][] = [];
  for (const change of changes) {
    const recorded = recordChange(kind, state, change, gaps);
    state = recorded.state;
    waiting.push(...recorded.closed);
  }
  return state && { state, waiting };
}
