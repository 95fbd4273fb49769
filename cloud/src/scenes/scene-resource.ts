/** A scene as the API and its events show it. */
import { formatTime, type Scene } from "@porchlight/shared/api";
import { DEFAULT_META_PREFIX, showMeta } from "../access/index.ts";
import type { SceneSnapshot } from "./scene-rows.ts";

/** A scene, and the hub that stores it. */
export type ShownScene = SceneSnapshot & { readonly hubId?: string | undefined };

export function sceneResource(scene: ShownScene, prefix = DEFAULT_META_PREFIX): Scene {
  return {
    id: scene.id,
    ecosystemId: scene.ecosystem_id,
    environmentId: scene.environment_id ?? "",
    ...(scene.alias !== null && { alias: scene.alias }),
    meta: showMeta(scene.meta, prefix),
    items: [...scene.items],
    triggers: [...scene.triggers],
    ...(scene.hubId !== undefined && { hubId: scene.hubId }),
    createdAt: formatTime(scene.created_at),
  };
}
