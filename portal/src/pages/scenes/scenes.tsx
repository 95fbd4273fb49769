/** The list of scenes, each with a button that calls it. */
import { Button, Text } from "@mantine/core";
import type { Scene } from "@porchlight/shared/api";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Fragment } from "react";
import { scenesQuery } from "../../data/queries.ts";
import { useTitles } from "../../devices/use-titles.ts";
import { Icon } from "../../kit/display/icon.tsx";
import { Page } from "../../kit/display/page.tsx";
import { Empty, QueryView } from "../../kit/display/query-view.tsx";
import { ConsoleCommand } from "../../kit/display/shell-commands.tsx";
import { Name, NameText } from "../../kit/text/name.tsx";
import { cut, nameOf } from "../../kit/text/names.ts";
import { counted } from "../../kit/text/quantity.ts";
import { CONSOLE_COMMANDS } from "../../kit/text/shell-commands.ts";
import { useApi } from "../../session/context.tsx";
import { CallButton, CallResult } from "./call-result.tsx";
import { sceneWords } from "./item-words.ts";
import { type SceneHome, useSceneHome } from "./scene-home.ts";
import classes from "./scenes.module.css";
import { triggerWords } from "./triggers.ts";
import { useSceneCall } from "./use-scene-call.ts";

const route = getRouteApi("/inside/environments/$environmentId/scenes");

export function ScenesPage() {
  const { environmentId } = route.useParams();
  const scenes = useQuery(scenesQuery(useApi(), environmentId));
  const home = useSceneHome(environmentId).data;
  const make = (
    <Button
      renderRoot={(props) => (
        <Link to="/environments/$environmentId/scenes/new" params={{ environmentId }} {...props} />
      )}
    >
      Create scene
    </Button>
  );
  return (
    <Page
      title="Scenes"
      lead="A scene sets several devices at once, such as the lamps and blinds of an evening."
      actions={(scenes.data?.length ?? 0) > 0 && make}
    >
      <QueryView
        query={scenes}
        isEmpty={(all) => all.length === 0}
        empty={
          <Empty
            title="No scenes yet"
            action={make}
            command={
              <ConsoleCommand command={CONSOLE_COMMANDS.scenes(environmentId)}>
                To create one of the values that all devices have now, run:
              </ConsoleCommand>
            }
          >
            Set your devices as you want them, for example for the evening. Then create a scene from what is so now, and
            call it whenever you want the same again.
          </Empty>
        }
      >
        {(all) => (
          <ul className={classes.cards} aria-label="Scenes">
            {all.map((scene) => (
              <SceneCard key={scene.id} scene={scene} home={home} />
            ))}
          </ul>
        )}
      </QueryView>
    </Page>
  );
}

interface SceneCardProps {
  readonly scene: Scene;
  /** Undefined while it loads. */
  readonly home: SceneHome | undefined;
}

/** A scene in the list: its name, values, triggers, call button, and the result of the call. */
function SceneCard({ scene, home }: SceneCardProps) {
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

interface SceneItemsProps {
  readonly items: Scene["items"];
  readonly home: SceneHome | undefined;
}

/** The values and triggers of a scene as sentences; names are set apart from the words. */
export function SceneItems({ items, home }: SceneItemsProps) {
  const titles = useTitles();
  if (!home) return <Text size="sm">{counted(items.length, "value")}</Text>;
  const { phrases, rest } = sceneWords(items, home, titles);
  return (
    <Text size="sm" component="div">
      {phrases.map(({ subject, words }, at) => (
        <Fragment key={`${subject} ${words}`}>
          {at > 0 && ", "}
          <NameText text={subject} /> <bdi>{cut(words, 60)}</bdi>
        </Fragment>
      ))}
      {rest > 0 && `${phrases.length > 0 ? ", and " : ""}${counted(rest, "more value")}`}
    </Text>
  );
}

interface SceneTriggersProps {
  readonly triggers: Scene["triggers"];
  readonly home: SceneHome | undefined;
}

export function SceneTriggers({ triggers, home }: SceneTriggersProps) {
  if (triggers.length === 0) return null;
  const name = (id: string) => {
    const device = home?.forest.devices.get(id);
    return home && !device ? undefined : nameOf(device ?? { id });
  };
  return (
    <ul className={classes.triggers} aria-label="Called by itself">
      {triggers.map((trigger, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two triggers can be equal, and the list is replaced as a whole
        <li key={at}>
          <Icon name={trigger.kind === "event" ? "button" : "event"} size={16} />
          <bdi>{cut(triggerWords(trigger, name), 100)}</bdi>
        </li>
      ))}
    </ul>
  );
}
