/** The tables of homes: hubs (as clients) with their connections, scenes, time zone and location. */

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

/** A value that a scene sets. When its hub's deletion removes the target, the row stays until it is swept. */
export interface SceneItemRow {
  ecosystem_id: string;
  scene_id: string;
  /** Place in the list. */
  position: number;
  /** A zone or device. */
  target_id: string;
  environment_id: string;
  /** `SERVICE[:INDEX].PROPERTY`. */
  selector: string;
  /** JSON. */
  value: string;
}

/** A trigger that calls a scene. */
export interface SceneTriggerRow {
  ecosystem_id: string;
  scene_id: string;
  position: number;
  environment_id: string;
  /** event, time, sun. */
  kind: string;
  /** The device that the event comes from. */
  device_id: string | null;
  /** JSON as the API shows it. */
  trigger: string;
}

/** Settings of an environment; without settings there is no row. */
export interface HomeRow {
  ecosystem_id: string;
  /** The environment's. */
  id: string;
  /** IANA name. */
  time_zone: string | null;
  /** JSON of `{latitude, longitude}`. */
  location: string | null;
}

/** Tables of a tenant. */
export interface SceneTables {
  scene_items: SceneItemRow;
  scene_triggers: SceneTriggerRow;
  homes: HomeRow;
}
