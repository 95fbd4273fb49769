/** The tables of audit chains: a chain for each ecosystem and each account, and a link for each entry. */

/** The start and the end of a chain. */
export interface AuditChainRow {
  /** Random: it does not reveal its owner. */
  id: string;
  /** Null once the account has been erased. */
  account_id: string | null;
  /** The ecosystem or account that its entries are about; null once the account is erased. */
  subject: string | null;
  /** Number of the newest entry, and its link. */
  sequence: number;
  link: string;
  /** Number and link of the newest entry that has expired; 0 and the chain's ID until there is one. */
  base_sequence: number;
  base_link: string;
  erased_at: number | null;
}

/** The part of an entry that outlives the erasure of its account. */
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
