/** The tables of activity: how many requests there were in each minute, and when they were counted. */

/** Requests of one ecosystem that were answered in one minute, as all nodes have counted them. */
export interface RequestCountRow {
  ecosystem_id: string;
  /** Where the minute begins: wall clock, ms. */
  minute: number;
  /** Answered with 2xx. */
  succeeded: number;
  /** With 3xx. */
  redirected: number;
  /** With 4xx. */
  refused: number;
  /** With 5xx. */
  failed: number;
}

/** A time during which one node has stored all requests that it counted. */
export interface CountingPeriodRow {
  id: string;
  /** Wall clock, ms. */
  since: number;
  /** All that was counted before is stored. */
  until: number;
  /** 1 when the node stopped then and has counted nothing more; 0 while it runs, and for ever of one that was killed. */
  closed: number;
}

export interface ActivityTables {
  request_counts: RequestCountRow;
}

/** Of the service, across tenants. */
export interface CountingTables {
  counting_periods: CountingPeriodRow;
}
