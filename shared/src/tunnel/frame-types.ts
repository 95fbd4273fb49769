/** Types of the frames, inferred from their schemas. Their own file, so that the specification contains nothing else. */
import type { z } from "zod";
import type * as frames from "./frames.ts";

export type Names = z.infer<typeof frames.names>;
export type DeviceName = z.infer<typeof frames.name>;
export type Scenes = z.infer<typeof frames.scenes>;
export type StoredScene = z.infer<typeof frames.scene>;
export type SceneCaller = z.infer<typeof frames.sceneCaller>;
export type SceneCallFrame = z.infer<typeof frames.sceneCall>;
export type SceneCallAnswer = z.infer<typeof frames.sceneCallAnswer>;
export type Challenge = z.infer<typeof frames.challenge>;
export type Hello = z.infer<typeof frames.hello>;
export type Welcome = z.infer<typeof frames.welcome>;
export type Inventory = z.infer<typeof frames.inventory>;
export type Describe = z.infer<typeof frames.describe>;
export type Failure = z.infer<typeof frames.failure>;
export type ValueRecord = z.infer<typeof frames.valueRecord>;
export type ResultRecord = z.infer<typeof frames.resultRecord>;
export type PresenceRecord = z.infer<typeof frames.presenceRecord>;
export type HubRecord = z.infer<typeof frames.record>;
export type Heartbeat = z.infer<typeof frames.heartbeat>;
export type CommandAnswer = z.infer<typeof frames.commandAnswer>;
export type CommandFrame = z.infer<typeof frames.command>;
export type ReadFrame = z.infer<typeof frames.read>;
export type ReadAnswer = z.infer<typeof frames.readAnswer>;
