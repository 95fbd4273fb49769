/** The tables of activity: requests in each minute, and the periods in which they were counted. */

/** Requests of one ecosystem answered in one minute, counted by all nodes. */
export interface RequestCountRow {
  ecosystem_id: string;
  /** Start of the minute: wall clock, ms. */
  minute: number;
  /** Answered with 2xx. */
  succeeded: number;
  /** Answered with 3xx. */
  redirected: number;
  /** Answered with 4xx. */
  refused: number;
  /** Answered with 5xx. */
  failed: number;
}

/** A period for which one node has stored all requests that it counted. */
export interface CountingPeriodRow {
  id: string;
  /** Wall clock, ms. */
  since: number;
  /** Everything counted before this time is stored. */
  until: number;
  /** 1 when the node stopped and counts no more; 0 while it runs, and permanently if it was killed. */
  closed: number;
}

export interface ActivityTables {
  request_counts: RequestCountRow;
}

/** Of the service, across tenants. */
export interface CountingTables {
  counting_periods: CountingPeriodRow;
}
