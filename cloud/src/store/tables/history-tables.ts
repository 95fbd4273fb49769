/** The tables of history: series of properties, their changes, statistics per step, and the gaps in which values are unknown. */
import type { Generated } from "kysely";

/** A property that has a history. */
export interface HistorySeriesRow {
  /** Its number, unique in the service: the key of points and steps, so that each costs few bytes. */
  series: Generated<number>;
  ecosystem_id: string;
  environment_id: string;
  device_id: string;
  service: string;
  idx: string;
  property: string;
  /** number, total, state, event. */
  kind: string;
  unit: string | null;
  /** Its open steps: `SeriesState` as JSON. */
  state: string;
  /** 1 when its device is deleted: its history is being deleted. */
  gone: number;
}

/** The position up to which an ecosystem's event log is recorded. */
export interface HistoryPositionRow {
  ecosystem_id: string;
  /** Sequence of the last recorded event. */
  sequence: number;
  /** When that event was stored, wall clock, ms. */
  at: number;
}

/** A period in which the values of a property, a device, all devices of a hub, or a whole ecosystem are unknown. */
export interface HistoryGapRow {
  ecosystem_id: string;
  /** ID of the device, client or ecosystem; for a property `DEVICE SERVICE:INDEX.PROPERTY`. */
  subject_id: string;
  /** Wall clock, ms. */
  since: number;
  /** Null while it lasts. */
  until: number | null;
  /** For a hub: 1 when its agent restarted in this period, so that it did not observe its devices. */
  restarted: number;
}

export interface HistorySettingsRow {
  ecosystem_id: string;
  enabled: number;
  raw_days: number | null;
  statistics_days: number | null;
}

/** A change. On PostgreSQL in partitions of a day. */
export interface HistoryPointRow {
  series: number;
  at: number;
  /** Sequence of its event. */
  sequence: number;
  /** JSON. */
  value: string;
}

/** The statistics of one step with a change. On PostgreSQL in partitions of some months. */
export interface HistoryStepRow {
  series: number;
  start: number;
  count: number;
  known_ms: number;
  min: number | null;
  max: number | null;
  area: number;
  growth: number;
  resets: number;
  /** JSON. */
  last: string;
  /** JSON; null when empty. */
  states: string | null;
}

export interface HistoryTables {
  history_series: HistorySeriesRow;
  history_positions: HistoryPositionRow;
  history_gaps: HistoryGapRow;
  history_settings: HistorySettingsRow;
}

/** Rows of a series; they are deleted before its own row. */
export interface HistoryValueTables {
  history_points: HistoryPointRow;
  history_five_minutes: HistoryStepRow;
  history_hours: HistoryStepRow;
}
