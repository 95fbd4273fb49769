/** The tables by which the service works: its nodes, idempotency keys, the request log, and counts of requests by minute. */
import type { Generated } from "kysely";

/** A process of the service, and its lease: without renewal the process can no longer write. */
export interface NodeRow {
  id: string;
  lease: number;
  lease_until: number;
  started_at: number;
}

/** The end of a credential or a right, for nodes that missed the message. */
export interface RevocationRow {
  /** In the order of insertion, which is not quite the order of commits. */
  number: Generated<number>;
  kind: string;
  subject_id: string;
  token_id: string | null;
  at: number;
}

/** A sealing key in use here: its fingerprint reveals a node with another key file. */
export interface SealingKeyRow {
  id: string;
  fingerprint: string;
}

/** A key, and the state of the request with it. */
export interface IdempotencyKeyRow {
  /** SHA-256 of principal, method, path and key, hex. */
  hash: string;
  /** The account or ecosystem whose deletion removes it. */
  owner: string;
  /** SHA-256 of key and body, hex. */
  fingerprint: string;
  /** running: an attempt is in progress; open: ended without a final answer, with its writes kept; done. */
  state: string;
  /** The attempt in progress: its node, and a token of its own. */
  node_id: string;
  claim: string;
  /** The final answer, sealed. */
  answer: string | null;
  created_at: number;
}

/** A write of a request with a key, stored in the same transaction. */
export interface IdempotencyStepRow {
  hash: string;
  /** The number of the write within the request; for a property PUT, its device and property. */
  step: string;
  /** The write's value, sealed; for a property PUT, the command's ID. */
  value: string;
}

export interface IdempotencyTables {
  idempotency_keys: IdempotencyKeyRow;
  idempotency_steps: IdempotencyStepRow;
}

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
