/** The tables of history: which properties have one, each change, statistics by steps, and the times in which nothing is known. */
import type { Generated } from "kysely";

/** A property that has a history. */
export interface HistorySeriesRow {
  /** Its number, which no other series of the service has: points and steps stand under it, so that each costs few bytes. */
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
  /** What is open of it: `SeriesState` as JSON. */
  state: string;
  /** 1 when its device is gone: what is kept of it is being deleted. */
  gone: number;
}

/** How far the event log of an ecosystem is recorded. */
export interface HistoryPositionRow {
  ecosystem_id: string;
  /** Of the last event that is recorded. */
  sequence: number;
  /** When that event was stored, wall clock, ms. */
  at: number;
}

/** A time in which nothing is known of a property, of a device, of all devices of a hub, or of all of an ecosystem. */
export interface HistoryGapRow {
  ecosystem_id: string;
  /** ID of the device, client or ecosystem; of a property `DEVICE SERVICE:INDEX.PROPERTY`. */
  subject_id: string;
  /** Wall clock, ms. */
  since: number;
  /** Null while it lasts. */
  until: number | null;
  /** Of a hub: 1 when its agent was started anew in this time, so that it has not watched its devices. */
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
  /** Of its event. */
  sequence: number;
  /** JSON. */
  value: string;
}

/** The statistics of one step in which something changed. On PostgreSQL in partitions of some months. */
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
  /** JSON; null when it is empty. */
  states: string | null;
}

export interface HistoryTables {
  history_series: HistorySeriesRow;
  history_positions: HistoryPositionRow;
  history_gaps: HistoryGapRow;
  history_settings: HistorySettingsRow;
}

/** They belong to a series, and go before its row goes. */
export interface HistoryValueTables {
  history_points: HistoryPointRow;
  history_five_minutes: HistoryStepRow;
  history_hours: HistoryStepRow;
}
