/** A scene in the list: its name, what it sets, when it is called by itself, and the button that calls it with what became of that. */
import type { Scene } from "@porchlight/shared/api";
import { Link } from "@tanstack/react-router";
import { Name } from "../../kit/text/name.tsx";
import { nameOf } from "../../kit/text/names.ts";
import { CallButton } from "./call/call-button.tsx";
import { CallResult } from "./call/call-result.tsx";
import { useSceneCall } from "./call/use-scene-call.ts";
import { SceneItems, SceneTriggers } from "./scene-words.tsx";
import classes from "./scenes.module.css";
import type { SceneHome } from "./words/scene-home.ts";

export interface SceneCardProps {
  readonly scene: Scene;
  /** Undefined while it is fetched. */
  readonly home: SceneHome | undefined;
}

export function SceneCard({ scene, home }: SceneCardProps) {
  const { id, environmentId } = scene;
  const call = useSceneCall(environmentId, id);
  return (
    <li className={classes.card}>
      <div className={classes.name}>
        <Link
          to="/environments/$environmentId/scenes/$sceneId"
          params={{ environmentId, sceneId: id }}
          title={nameOf(scene)}
        >
          <Name of={scene} />
        </Link>
      </div>
      <SceneItems items={scene.items} home={home} />
      <SceneTriggers triggers={scene.triggers} home={home} />
      <CallButton scene={scene} call={call} />
      <CallResult environmentId={environmentId} call={call} />
    </li>
  );
}
