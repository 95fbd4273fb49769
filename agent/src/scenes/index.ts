/** The front of the scenes that the hub calls by itself. */
export { type SceneStatus, SceneTriggers, type SceneTriggersDeps } from "./scene-triggers.ts";
