/** The tables by which the nodes of a service know of each other. */
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
