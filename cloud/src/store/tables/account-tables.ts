/**
 * The tables of accounts: tokens, pairings, log-ins by code, the codes and emails sent to accounts, and their exports. None of
 * them belongs to a tenant.
 */

export interface AccountRow {
  id: string;
  /** As entered; unique without regard to case through `email_key`. */
  email: string;
  email_key: string;
  name: string | null;
  password_hash: string;
  created_at: number;
  /** When its holder proved to receive mail at the address; null until then. */
  verified_at: number | null;
}

/** A code sent by mail, until it is used or expires. */
export interface AccountCodeRow {
  /** SHA-256 of the code, hex. */
  hash: string;
  /** For an unknown address: an ID that no account has. */
  account_id: string;
  /** verify, reset. */
  purpose: string;
  created_at: number;
  expires_at: number;
}

export interface TokenRow {
  id: string;
  /** SHA-256 of the token, hex. */
  hash: string;
  /** acc, auth, srv, usr, cli. */
  kind: string;
  account_id: string | null;
  ecosystem_id: string | null;
  /** ID of the object that the token acts as. */
  subject_id: string;
  /** Server tokens only: the token, sealed. */
  sealed: string | null;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  /** Log-ins only: the IP address it was made from. */
  address: string | null;
  user_agent: string | null;
  /** 1: a log-in whose token is a cookie. */
  by_cookie: number | null;
  /** Server tokens only: when the list last showed the token itself. */
  read_at: number | null;
}

/** A session token of a log-in by cookie: it acts as that log-in, and ends with it. */
export interface SessionTokenRow {
  hash: string;
  login_id: string;
  expires_at: number;
}

/** A bucket that several nodes share, such as that of password attempts for one address. */
export interface SharedLimitRow {
  /** SHA-256 of the limit's name and subject, hex. */
  key: string;
  /** When the bucket is full again. */
  full_at: number;
}

export interface TokenUseRow {
  token_id: string;
  last_used_at: number;
}

/** The versions of the API that requests with a token used. */
export interface TokenVersionRow {
  token_id: string;
  /** path, header. */
  via: string;
  /** "" for a path without a version. */
  version: string;
  first_seen_at: number;
  last_seen_at: number;
  count: number;
}

/** A pending email: it is deleted when it is handed to the mail server, or no longer worth sending. */
export interface EmailRow {
  id: string;
  account_id: string;
  /** Address, subject and text, sealed: it may contain a code. */
  sealed: string;
  attempts: number;
  next_at: number;
  expires_at: number;
  created_at: number;
  /** The node that sends it; null while it waits. */
  claimed_by: string | null;
}

/** A deleted account whose data may not all be deleted yet. */
export interface ErasureRow {
  account_id: string;
  /** A JSON list: the rows that state the owner are deleted with the rest. */
  ecosystem_ids: string;
  requested_at: number;
}

/** Records that an account was notified of an upcoming version. */
export interface VersionNoticeRow {
  account_id: string;
  release: string;
  told_at: number;
}

/** The tables of pairings and of log-ins by code. They belong to no tenant, because the owner is unknown until a user approves them. */
export interface PairingRow {
  /** SHA-256 of the code that the hub polls with, hex. */
  device_hash: string;
  /** SHA-256 of the code that it displays, hex. */
  user_hash: string;
  /** The hub's key: base64 of the SPKI DER. */
  public_key: string;
  edge_id: string;
  agent_version: string;
  /** The IP address that it polls from. */
  address: string;
  /** pending, approved, denied. */
  state: string;
  /** Least time between two polls. */
  interval_ms: number;
  /** The last poll that respected the interval. */
  polled_at: number | null;
  created_at: number;
  expires_at: number;
  /** When approved: the hub's client. */
  ecosystem_id: string | null;
  environment_id: string | null;
  client_id: string | null;
  /** The client's epoch when a token was last issued: a larger one means that the hub has used it. */
  issued_epoch: number | null;
}

/** A log-in by code: a program waits until a logged-in user approves it. */
export interface CodeLogInRow {
  /** SHA-256 of the code that the program polls with, hex. */
  device_hash: string;
  /** SHA-256 of the code that it displays, hex. */
  user_hash: string;
  /** The IP address that it polls from. */
  address: string;
  user_agent: string | null;
  /** pending, approved, denied. */
  state: string;
  /** Least time between two polls. */
  interval_ms: number;
  /** The last poll that respected the interval. */
  polled_at: number | null;
  created_at: number;
  expires_at: number;
  /** When approved: the account of the log-in. */
  account_id: string | null;
  /** The log-in that approved it: the approval ends with it. */
  approved_by: string | null;
}

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
