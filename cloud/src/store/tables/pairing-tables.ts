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
