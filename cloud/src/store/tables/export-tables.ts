/** The tables of exports: the newest export of each account, and the archives in chunks. They belong to accounts, not to tenants. */

export interface AccountExportRow {
  account_id: string;
  id: string;
  /** running, ready, failed. */
  state: string;
  started_at: number;
  /** The node that builds it; null while it waits. */
  node_id: string | null;
  /** Counts the nodes that started it: only the chunks of the newest attempt are valid. */
  attempt: number;
  /** Bytes of the archive stored so far. */
  bytes: number;
  ended_at: number | null;
  /** When row and archive are deleted; null while it runs. */
  expires_at: number | null;
  /** Reason of the failure: too_large, failed. */
  problem: string | null;
}

/** A part of an archive: all but the last have the same length. */
export interface ExportChunkRow {
  account_id: string;
  export_id: string;
  attempt: number;
  /** From 0, without gaps. */
  place: number;
  /** Base64: the stores share no type for bytes. */
  data: string;
}

export interface ExportTables {
  account_exports: AccountExportRow;
  export_chunks: ExportChunkRow;
}
