/** Rows of what holds the audit together: a chain for each ecosystem and each account, and a link for each entry. */

/** Where a chain begins and ends. */
export interface AuditChainRow {
  /** Random: it tells nothing of whose it is. */
  id: string;
  /** Null once the account has been erased. */
  account_id: string | null;
  /** Ecosystem or account of which it tells; null once the account has been erased. */
  subject: string | null;
  /** Number of the newest entry, and its link. */
  sequence: number;
  link: string;
  /** Number of the newest entry that was too old to be kept, and its link; 0 and the chain's ID while there is none. */
  base_sequence: number;
  base_link: string;
  erased_at: number | null;
}

/** What stays of an entry when its account is erased. */
export interface AuditLinkRow {
  chain_id: string;
  /** From 1, without gaps. */
  sequence: number;
  /** See `entryDigest`. */
  digest: string;
  /** See `nextLink`. */
  link: string;
}

export interface AuditTables {
  audit_chains: AuditChainRow;
  audit_links: AuditLinkRow;
}
