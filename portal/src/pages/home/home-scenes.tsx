/** The scene buttons of a home, only a few at first. It is its own file to load only for homes with scenes. */
import { Button } from "@mantine/core";
import type { Scene } from "@porchlight/shared/api";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Section } from "../../kit/display/page.tsx";
import { NameText } from "../../kit/text/name.tsx";
import { cut, nameOf } from "../../kit/text/names.ts";
import { CallResult } from "../scenes/call-result.tsx";
import { useSceneCall } from "../scenes/use-scene-call.ts";
import classes from "./home.module.css";

/** Allows a long name several lines. */
const BUTTON = { root: classes.scene ?? "", label: classes.label ?? "" };
/** Number of scenes; their own page has the others. */
const FEW = 6;

interface HomeScenesProps {
  readonly environmentId: string;
  readonly scenes: readonly Scene[];
}

export default function HomeScenes({ environmentId, scenes }: HomeScenesProps) {
  const [last, setLast] = useState<string>();
  const shown = scenes.slice(0, FEW);
  return (
    <Section
      title="Scenes"
      lead={
        <Link to="/environments/$environmentId/scenes" params={{ environmentId }}>
          {scenes.length > FEW ? `All ${scenes.length.toLocaleString("en")} scenes` : "Change scenes"}
        </Link>
      }
    >
      <ul className={classes.scenes} aria-label="Call a scene">
        {shown.map((scene) => (
          <OneScene key={scene.id} scene={scene} isLast={last === scene.id} onCall={() => setLast(scene.id)} />
        ))}
      </ul>
    </Section>
  );
}

interface OneSceneProps {
  readonly scene: Scene;
  /** True for the scene that was called last: only it shows its result. */
  readonly isLast: boolean;
  readonly onCall: () => void;
}

function OneScene({ scene, isLast, onCall }: OneSceneProps) {
  const { id, environmentId } = scene;
  const call = useSceneCall(environmentId, id);
  const name = nameOf(scene);
  const shown = cut(name, 28);
  return (
    <li data-called={isLast || undefined}>
      <Button
        variant="default"
        classNames={BUTTON}
        loading={call.isPending}
        title={name}
        aria-label={`Call scene: ${shown}`}
        onClick={() => {
          onCall();
          call.call();
        }}
      >
        <bdi>{shown}</bdi>
      </Button>
      {isLast && (
        <div className={classes.result}>
          <NameText text={name} />
          <CallResult environmentId={environmentId} call={call} />
        </div>
      )}
    </li>
  );
}
