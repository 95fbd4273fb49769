/** The tables of who can call: accounts, their tokens, and what is on its way to or from them. None of them is a tenant's. */

export interface AccountRow {
  id: string;
  /** As given; unique without regard to case through `email_key`. */
  email: string;
  email_key: string;
  name: string | null;
  password_hash: string;
  created_at: number;
  /** When its holder showed that mail to the address arrives; null: not yet. */
  verified_at: number | null;
}

/** A code that went out by mail, until it is used or too old. */
export interface AccountCodeRow {
  /** SHA-256 of the code, hex. */
  hash: string;
  /** Of an unknown address: an ID that nothing else has. */
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
  /** ID of what it acts as. */
  subject_id: string;
  /** Server tokens only: the token, sealed. */
  sealed: string | null;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  /** Log-ins only: where it was made. */
  address: string | null;
  user_agent: string | null;
  /** 1: a log-in whose token is a cookie. */
  by_cookie: number | null;
  /** Server tokens only: when the list last showed the token itself. */
  read_at: number | null;
}

/** A short account token of a log-in that a cookie carries: it is that log-in, and ends with it. */
export interface SessionTokenRow {
  hash: string;
  login_id: string;
  expires_at: number;
}

/** A bucket from which several nodes take, such as that of the passwords that are tried for one address. */
export interface SharedLimitRow {
  /** SHA-256 of what is limited and for whom, hex. */
  key: string;
  /** When it is full again. */
  full_at: number;
}

export interface TokenUseRow {
  token_id: string;
  last_used_at: number;
}

/** Which versions of the API a token has been seen to ask for. */
export interface TokenVersionRow {
  token_id: string;
  /** path, header. */
  via: string;
  /** "" of a path without a version. */
  version: string;
  first_seen_at: number;
  last_seen_at: number;
  count: number;
}

/** An email on its way: it stays until it has been handed over, or is not worth sending any more. */
export interface EmailRow {
  id: string;
  account_id: string;
  /** Address, subject and text, sealed: a code may stand in it. */
  sealed: string;
  attempts: number;
  next_at: number;
  expires_at: number;
  created_at: number;
  /** The node that has it in hand; null of one that waits. */
  claimed_by: string | null;
}

/** An account that is gone and of which something may still be there. */
export interface ErasureRow {
  account_id: string;
  /** A JSON list: the rows that say whose they were go with the rest. */
  ecosystem_ids: string;
  requested_at: number;
}

/** That an account has been told of a coming version. */
export interface VersionNoticeRow {
  account_id: string;
  release: string;
  told_at: number;
}
