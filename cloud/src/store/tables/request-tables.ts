/** The table of the request log. */

/** A request with a living token, kept for a week: without bodies and query values. */
export interface RequestLogRow {
  account_id: string;
  /** In the order of the responses. */
  id: string;
  /** Null when an account with several ecosystems made it. */
  ecosystem_id: string | null;
  /** The `x-request-id` of the response. */
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
  /** JSON of the problem document in the response, without secrets. */
  problem_body: string | null;
  /** The command that it created. */
  command_id: string | null;
}
