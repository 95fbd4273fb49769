/** The request log as the database keeps it. */

/** A request that somebody made with a living token, kept for a week: without bodies and query values. */
export interface RequestLogRow {
  account_id: string;
  /** In the order in which they were answered. */
  id: string;
  /** Null when an account with several ecosystems asked. */
  ecosystem_id: string | null;
  /** What the answer said in `x-request-id`. */
  request_id: string;
  at: number;
  method: string;
  route: string;
  path: string;
  status: number;
  duration_us: number;
  token_id: string | null;
  /** Name of the error. */
  problem: string | null;
  /** JSON of the problem document that it was answered with, without secrets. */
  problem_body: string | null;
  /** The command that it made. */
  command_id: string | null;
}
