/** The scenes of a hub, called by the hub itself: what the composition root needs of them. */
export { type SceneStatus, SceneTriggers, type SceneTriggersDeps } from "./scene-triggers.ts";
