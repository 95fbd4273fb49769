/** The tables of idempotency keys: apart from those of what the service is about, because they know no feature. */

/** A key, and how far the request with it has come. */
export interface IdempotencyKeyRow {
  /** SHA-256 of principal, method, path and key, hex. */
  hash: string;
  /** The account or ecosystem with which it goes. */
  owner: string;
  /** SHA-256 of key and body, hex. */
  fingerprint: string;
  /** running: somebody works on it; open: ended without a final answer, and what was done is kept; done. */
  state: string;
  /** Who works on it: the node, and a word of this attempt's own. */
  node_id: string;
  claim: string;
  /** The final answer, sealed. */
  answer: string | null;
  created_at: number;
}

/** What a request with a key has done, stored in the transaction that did it. */
export interface IdempotencyStepRow {
  hash: string;
  /** Which of its writes, counted; of a property PUT, which device and property. */
  step: string;
  /** The write's value, sealed; of a property PUT the command's ID. */
  value: string;
}

export interface IdempotencyTables {
  idempotency_keys: IdempotencyKeyRow;
  idempotency_steps: IdempotencyStepRow;
}
