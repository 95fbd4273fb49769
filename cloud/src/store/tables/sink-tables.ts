/** The table of sinks. The event log is their queue: what is kept here is how far each has come, and what came of the last attempt. */

export interface SinkRow {
  ecosystem_id: string;
  url: string;
  /** Sealed; null when the receiver wants none. */
  token: string | null;
  measurement_prefix: string;
  enabled: number;
  created_at: number;
  /** Counts the changes of the settings: what came of an attempt with earlier ones says nothing of these. */
  revision: number;
  /** Everything up to this sequence was taken, or is none of its. */
  position: number;
  /** 1 when the receiver has taken lines since the settings were changed: what it refuses then is for the lines. */
  proven: number;
  /** When the newest attempt ended, wall clock, ms; null before the first. */
  tried_at: number | null;
  /** Of its answer. */
  status: number | null;
  /** When the first attempt failed since the last success; null when the last one was a success. */
  failing_since: number | null;
  error: string | null;
  /** Failed attempts since the last success. */
  attempts: number;
  /** Nothing is sent before then, wall clock, ms. */
  retry_at: number | null;
  refused_lines: number;
  refused_error: string | null;
  lost_events: number;
  lost_at: number | null;
}

export interface SinkTables {
  sinks: SinkRow;
}
