/** The tables of idempotency keys: apart from the other tables, because they belong to no feature. */

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
