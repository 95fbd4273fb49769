/** The table of sinks. The event log is their queue: a row keeps the position of each and the outcome of the last attempt. */

export interface SinkRow {
  ecosystem_id: string;
  url: string;
  /** Sealed; null when the receiver requires none. */
  token: string | null;
  measurement_prefix: string;
  enabled: number;
  created_at: number;
  /** Counts the changes of the settings: an attempt with earlier settings proves nothing about the current ones. */
  revision: number;
  /** Every event up to this sequence was delivered, or does not concern this sink. */
  position: number;
  /** 1 when the receiver has accepted lines since the last change of the settings: a later rejection is then due to the lines. */
  proven: number;
  /** When the newest attempt ended, wall clock, ms; null before the first. */
  tried_at: number | null;
  /** HTTP status of its response. */
  status: number | null;
  /** Time of the first failure since the last success; null after a success. */
  failing_since: number | null;
  error: string | null;
  /** Failed attempts since the last success. */
  attempts: number;
  /** No attempt is made before this time, wall clock, ms. */
  retry_at: number | null;
  refused_lines: number;
  refused_error: string | null;
  lost_events: number;
  lost_at: number | null;
}

export interface SinkTables {
  sinks: SinkRow;
}
