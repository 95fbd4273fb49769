/** Scenes: values of many properties under one name, set by a single call, and stored by the hub that has all their devices. */
export type { CallKeeper, CallRequest } from "./call-scene.ts";
export { HubScenes, type ShownScene, sceneResource } from "./hub-scenes.ts";
export { type SceneChange, Scenes, type ScenesDeps, type ScenesPart } from "./scenes.ts";
