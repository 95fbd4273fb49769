/** The tables of hubs, as clients, and of their connections. */

export interface ClientRow {
  ecosystem_id: string;
  id: string;
  environment_id: string;
  /** Bound by the first hello (or the pairing): base64 of the SPKI DER, and the hub's edgeId. */
  public_key: string | null;
  edge_id: string | null;
  /** Epoch of the newest connection; every connection gets a larger one. */
  epoch: number;
  /** The hub's history: its ID, and the position up to which it is stored with its effects. */
  log_id: string | null;
  position: number;
  inventory_digest: string | null;
  agent_version: string | null;
  /** 1 when its agent stores scenes, 0 when it does not; null before the first connection that declared it. */
  stores_scenes: number | null;
  /** 1 when the last presence event was `hub.online`. */
  online: number;
  online_since: number | null;
  last_seen_at: number | null;
  reason: string | null;
}

/** Written when a tunnel opens and when it ends, never by a heartbeat. */
export interface TunnelRow {
  ecosystem_id: string;
  client_id: string;
  epoch: number;
  node_id: string;
  opened_at: number;
  closed_at: number | null;
  reason: string | null;
  /** The agent's run; null in rows from before this column existed. */
  instance: string | null;
  /** 1 when it stays and every other instance of its client is refused. */
  kept: number | null;
}
