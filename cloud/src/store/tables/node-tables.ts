/** What the nodes of a service know of each other by the database. */
import type { Generated } from "kysely";

/** A process of the service, and its lease: without renewal the process writes nothing more. */
export interface NodeRow {
  id: string;
  lease: number;
  lease_until: number;
  started_at: number;
}

/** That a credential or a right has ended, for the nodes that were not told. */
export interface RevocationRow {
  /** In the order in which they were made, not quite that in which they were committed. */
  number: Generated<number>;
  kind: string;
  subject_id: string;
  token_id: string | null;
  at: number;
}

/** A sealing key that has sealed something here: by its fingerprint a node with another file is told. */
export interface SealingKeyRow {
  id: string;
  fingerprint: string;
}
