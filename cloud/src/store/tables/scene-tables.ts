/** The tables of scenes as Kysely sees them, and of what a home needs for their times. */

/** What a scene sets. Of what has gone with its hub the row stays until it is swept. */
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

/** What calls a scene. */
export interface SceneTriggerRow {
  ecosystem_id: string;
  scene_id: string;
  position: number;
  environment_id: string;
  /** event, time, sun. */
  kind: string;
  /** The device whose event it is. */
  device_id: string | null;
  /** JSON as the API shows it. */
  trigger: string;
}

/** Of an environment; none of one for which nothing has been set. */
export interface HomeRow {
  ecosystem_id: string;
  /** Of the environment. */
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
