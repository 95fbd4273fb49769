/** The tables of pairings and of log-ins by code: no tenant's, because whose it will be is not known before somebody approves it. */

export interface PairingRow {
  /** SHA-256 of the code that the hub asks with, hex. */
  device_hash: string;
  /** SHA-256 of the code that it shows, hex. */
  user_hash: string;
  /** Of the hub: base64 of the SPKI DER. */
  public_key: string;
  edge_id: string;
  agent_version: string;
  /** Where it asks from. */
  address: string;
  /** pending, approved, denied. */
  state: string;
  /** Least time between two polls. */
  interval_ms: number;
  /** The last poll that was not too early. */
  polled_at: number | null;
  created_at: number;
  expires_at: number;
  /** Of an approved one: the client that the hub is. */
  ecosystem_id: string | null;
  environment_id: string | null;
  client_id: string | null;
  /** The client's epoch when a token was last told: a larger one means that the hub has used it. */
  issued_epoch: number | null;
}

/** A log-in by code: of a program that waits until somebody who is logged in approves it. */
export interface CodeLogInRow {
  /** SHA-256 of the code that the program polls with, hex. */
  device_hash: string;
  /** SHA-256 of the code that it shows, hex. */
  user_hash: string;
  /** Where it asks from. */
  address: string;
  user_agent: string | null;
  /** pending, approved, denied. */
  state: string;
  /** Least time between two polls. */
  interval_ms: number;
  /** The last poll that was not too early. */
  polled_at: number | null;
  created_at: number;
  expires_at: number;
  /** Of an approved one: whose log-in it will be. */
  account_id: string | null;
  /** The log-in from which it was approved: the approval ends with it. */
  approved_by: string | null;
}
