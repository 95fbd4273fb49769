/** What properties were (A11), put together: recorded with what the hub learns, kept for ten days, and read by series. */
import type { HistorySource } from "@porchlight/shared/rest";
import type { Db } from "../database/database.ts";
import type { HubClock } from "../database/hub-clock.ts";
import type { Devices } from "../rows/devices.ts";
import type { HubRow } from "../rows/hub-row.ts";
import type { Values } from "../rows/values.ts";
import { GapRows } from "./gap-rows.ts";
import { SeriesRecorder } from "./series-recorder.ts";
import { KEPT_FOR_MS, SeriesRetention } from "./series-retention.ts";
import { SeriesRows } from "./series-rows.ts";
import { type SeriesAbout, SeriesSource } from "./series-source.ts";

export interface PropertySeriesDeps {
  readonly clock: HubClock;
  readonly hub: HubRow;
  readonly devices: Devices;
  readonly values: Values;
  /** Whether anything is to be recorded, and the disk takes it. */
  readonly isWanted: () => boolean;
  /** Called with the error that kept a record out of history. */
  readonly leftOut: (failure: unknown) => void;
  /** Most changes and gaps that are kept. */
  readonly most?: number | undefined;
}

/** With their statistics at most about 170 MB. */
const MOST_ROWS = 2_000_000;

/** What reads of history need. */
export type SeriesReads = Pick<PropertySeries, "recordedUntil" | "begins" | "keptForMs" | "source">;

export class PropertySeries {
  readonly recorder: SeriesRecorder;
  readonly retention: SeriesRetention;
  /** For how long each change is kept, ms. */
  readonly keptForMs = KEPT_FOR_MS;
  readonly #deps: PropertySeriesDeps;
  readonly #rows: SeriesRows;

  constructor(db: Db, deps: PropertySeriesDeps) {
    this.#deps = deps;
    const rows = new SeriesRows(db);
    const gaps = new GapRows(db);
    this.#rows = rows;
    // Inside the transaction of what is recorded it is a savepoint.
    const apart = db.transaction((work: () => void) => work());
    this.recorder = new SeriesRecorder({ ...deps, rows, gaps, apart });
    const written = () => this.recorder.written;
    this.retention = new SeriesRetention(db, { ...deps, rows, gaps, apart, written, most: deps.most ?? MOST_ROWS });
  }

  /** Everything before it is recorded: wall clock, ms. */
  get recordedUntil(): number {
    return this.recorder.recordedUntil;
  }

  /** Nothing earlier is kept, but for the last change: wall clock, ms. */
  get begins(): number {
    return Math.max(this.#deps.hub.keptFrom, this.#deps.clock.now() - KEPT_FOR_MS);
  }

  /** The history of a property, also of one of which nothing is recorded. */
  source(about: SeriesAbout): HistorySource {
    const { hub } = this.#deps;
    return new SeriesSource({ hub, rows: this.#rows, recorder: this.recorder }, about);
  }

  /** Reads everything afresh: at the start, and after a transaction that was rolled back. */
  reload(): void {
    this.recorder.reload();
    this.retention.reload();
  }
}
