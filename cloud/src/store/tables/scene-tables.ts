/** The tables of scenes, and the time zone and location of homes. */

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
