/** The tables of exports: the newest export of each account, and the archives in chunks. They are of accounts, not of a tenant. */

export interface AccountExportRow {
  account_id: string;
  id: string;
  /** running, ready, failed. */
  state: string;
  started_at: number;
  /** The node that makes it; null of one that waits. */
  node_id: string | null;
  /** Counts the nodes that have begun it: the chunks of all but the newest attempt are void. */
  attempt: number;
  /** Of the archive, as far as it is stored. */
  bytes: number;
  ended_at: number | null;
  /** When row and archive are deleted; null while it runs. */
  expires_at: number | null;
  /** Why it failed: too_large, failed. */
  problem: string | null;
}

/** A part of an archive: all but the last have the same length. */
export interface ExportChunkRow {
  account_id: string;
  export_id: string;
  attempt: number;
  /** From 0, without gaps. */
  place: number;
  /** Base64: the stores have no type for bytes in common. */
  data: string;
}

export interface ExportTables {
  account_exports: AccountExportRow;
  export_chunks: ExportChunkRow;
}
