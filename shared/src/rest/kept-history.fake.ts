/** History kept in memory, with nothing but the rules of how it is added up: what tests of answers ask. */
import type { HistoryKind } from "../api/index.ts";
import { type Bucket, merged, recordChange, type SeriesState, type Step } from "../history/index.ts";
import type { HistoryRow, HistorySource, SourceGap } from "./history-source.ts";

export class KeptHistory implements HistorySource {
  readonly deviceId: string;
  readonly service = "Meter";
  readonly index = "0";
  readonly property = "value";
  readonly kind: HistoryKind;
  readonly unit = "W";
  readonly rows: HistoryRow[] = [];
  readonly all: SourceGap[] = [];
  readonly #buckets: Record<Step, Bucket[]> = { fiveMinutes: [], hours: [] };
  #state: SeriesState | undefined;

  constructor(deviceId: string, kind: HistoryKind) {
    this.deviceId = deviceId;
    this.kind = kind;
  }

  /** The property has another value from a time on. */
  change(at: number, value: unknown): void {
    const text = JSON.stringify(value);
    const { state, closed } = recordChange(this.kind, this.#state, { at, value: text }, merged(this.all));
    this.#state = state;
    for (const { step, bucket } of closed) this.#buckets[step].push(bucket);
    this.rows.push({ at: state.at, sequence: this.rows.length + 1, value: text });
  }

  overview() {
    return this.#state && { state: this.#state, begins: this.rows[0]?.at ?? 0 };
  }

  raw(from: number, to: number, after: { at: number; sequence: number } | undefined, limit: number) {
    return this.rows
      .filter(({ at }) => at >= from && at < to)
      .filter(({ sequence }) => !after || sequence > after.sequence)
      .slice(0, limit);
  }

  before(at: number) {
    return this.rows.filter((row) => row.at < at).at(-1);
  }

  kept(step: Step, from: number, to: number): Bucket[] {
    return structuredClone(this.#buckets[step].filter(({ start }) => start >= from && start < to));
  }

  heldAt(_step: Step, at: number) {
    return this.before(at)?.value;
  }

  gaps(from: number, to: number) {
    return this.all.filter((gap) => gap.from < to && gap.until > from);
  }
}
