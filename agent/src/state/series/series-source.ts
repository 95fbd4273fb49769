/** The source for reads of one property's history (A11): the hub's rows, and the open state in memory. */
import type { HistoryKind } from "@porchlight/shared/api";
import { type Bucket, NONE, STEPS, type Step, startOf } from "@porchlight/shared/history";
import type { HistoryRow, HistorySource, RowPlace, SourceGap, SourceOverview } from "@porchlight/shared/rest";
import type { Db } from "../database.ts";
import type { HubClock } from "../hub-clock.ts";
import type { Devices, PropertyTarget } from "../rows/devices.ts";
import type { HubRow } from "../rows/hub-row.ts";
import type { Values } from "../rows/values.ts";
import { GapRows } from "./gap-rows.ts";
import { SeriesRecorder } from "./series-recorder.ts";
import { KEPT_FOR_MS, SeriesRetention } from "./series-retention.ts";
import { type Series, SeriesRows } from "./series-rows.ts";

export interface SeriesAbout {
  readonly target: PropertyTarget;
  readonly deviceId: string;
  readonly kind: HistoryKind;
  readonly unit: string | undefined;
}

export interface SeriesSourceDeps {
  readonly hub: HubRow;
  readonly rows: SeriesRows;
  readonly recorder: Pick<SeriesRecorder, "state" | "gaps" | "waiting">;
}

class SeriesSource implements HistorySource {
  readonly deviceId: string;
  readonly service: string;
  readonly index: string;
  readonly property: string;
  readonly kind: HistoryKind;
  readonly unit: string | undefined;
  readonly #deps: SeriesSourceDeps;
  readonly #target: PropertyTarget;

  constructor(deps: SeriesSourceDeps, { target, deviceId, kind, unit }: SeriesAbout) {
    this.#deps = deps;
    this.#target = target;
    this.deviceId = deviceId;
    this.service = target.service;
    this.index = target.index;
    this.property = target.property;
    // Existing records were aggregated as this kind, even if the description differs by now.
    this.kind = this.#series?.kind ?? kind;
    this.unit = unit;
  }

  overview(): SourceOverview | undefined {
    const series = this.#series;
    const state = series && this.#deps.recorder.state(series);
    if (!series || !state) return undefined;
    const { keptFrom } = this.#deps.hub;
    const first = this.#deps.rows.firstAt(series) ?? state.at;
    // The oldest change can be kept alone, after the others of its hour were deleted.
    return { state, begins: first < keptFrom ? startOf("hours", first) + STEPS.hours : first };
  }

  raw(from: number, to: number, after: RowPlace | undefined, limit: number): HistoryRow[] {
    const series = this.#series;
    if (!series) return [];
    const place = after && { at: after.at, number: after.sequence };
    const rows = this.#deps.rows.changes(series, from, to, place, limit);
    return rows.map(({ at, number, value }) => ({ at, sequence: number, value }));
  }

  before(at: number) {
    const series = this.#series;
    const row = series && this.#deps.rows.lastBefore(series, at);
    return row && row.value !== NONE ? { at: row.at, value: row.value } : undefined;
  }

  kept(step: Step, from: number, to: number): Bucket[] {
    const series = this.#series;
    if (!series) return [];
    const { rows, recorder } = this.#deps;
    const waiting = recorder.waiting(series, step);
    // After the clock was set back, or by an older agent, some of them may be written already.
    const written = rows.steps(series, step, from, Math.min(to, waiting[0]?.start ?? to));
    return [...written, ...waiting.filter(({ start }) => start >= from && start < to)];
  }

  heldAt(_step: Step, at: number): string | undefined {
    const series = this.#series;
    return series && this.#deps.rows.lastBefore(series, at)?.value;
  }

  gaps(from: number, to: number): SourceGap[] {
    return this.#deps.recorder.gaps(this.#target, from, to);
  }

  /** Looked up each time: a long read can outlive the series' row. */
  get #series(): Series | undefined {
    return this.#deps.rows.get(this.#target);
  }
}

/** The dependencies of the property history (A11), which is recorded with each value, kept for ten days, and read by series. */
interface PropertySeriesDeps {
  readonly clock: HubClock;
  readonly hub: HubRow;
  readonly devices: Devices;
  readonly values: Values;
  /** Whether history is enabled and the disk has room. */
  readonly isWanted: () => boolean;
  /** Called with the error for which a record was skipped. */
  readonly leftOut: (failure: unknown) => void;
  /** Maximum changes and gaps that are kept. */
  readonly most?: number | undefined;
}

/** Together with their statistics at most about 170 MB. */
const MOST_ROWS = 2_000_000;

/** The part of the property history that readers use. */
export type SeriesReads = Pick<PropertySeries, "recordedUntil" | "begins" | "keptForMs" | "source">;

export class PropertySeries {
  readonly recorder: SeriesRecorder;
  readonly retention: SeriesRetention;
  /** How long each change is kept, ms. */
  readonly keptForMs = KEPT_FOR_MS;
  readonly #deps: PropertySeriesDeps;
  readonly #rows: SeriesRows;

  constructor(db: Db, deps: PropertySeriesDeps) {
    this.#deps = deps;
    const rows = new SeriesRows(db);
    const gaps = new GapRows(db);
    this.#rows = rows;
    // Within an open transaction this becomes a savepoint.
    const apart = db.transaction((work: () => void) => work());
    this.recorder = new SeriesRecorder({ ...deps, rows, gaps, apart });
    const written = () => this.recorder.written;
    this.retention = new SeriesRetention(db, { ...deps, rows, gaps, apart, written, most: deps.most ?? MOST_ROWS });
  }

  /** History is complete up to this time: wall clock, ms. */
  get recordedUntil(): number {
    return this.recorder.recordedUntil;
  }

  /** History begins here; only the last change before it is kept: wall clock, ms. */
  get begins(): number {
    return Math.max(this.#deps.hub.keptFrom, this.#deps.clock.now() - KEPT_FOR_MS);
  }

  /** The history of a property, possibly empty. */
  source(about: SeriesAbout): HistorySource {
    const { hub } = this.#deps;
    return new SeriesSource({ hub, rows: this.#rows, recorder: this.recorder }, about);
  }

  /** Reads everything again: at the start, and after a transaction that was rolled back. */
  reload(): void {
    this.recorder.reload();
    this.retention.reload();
  }
}
