/** What a scene sets and when it is called by itself, as sentences on a page: names in them are set apart from the words. */
import { Text } from "@mantine/core";
import type { Scene } from "@porchlight/shared/api";
import { Fragment } from "react";
import { useTitles } from "../../devices/use-titles.ts";
import { Icon } from "../../kit/display/icon.tsx";
import { NameText } from "../../kit/text/name.tsx";
import { cut, nameOf } from "../../kit/text/names.ts";
import { counted } from "../../kit/text/quantity.ts";
import classes from "./scenes.module.css";
import { sceneWords } from "./words/item-words.ts";
import type { SceneHome } from "./words/scene-home.ts";
import { triggerWords } from "./words/trigger-words.ts";

export interface SceneItemsProps {
  readonly items: Scene["items"];
  readonly home: SceneHome | undefined;
}

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

export interface SceneTriggersProps {
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
        // biome-ignore lint/suspicious/noArrayIndexKey: two triggers may be alike, and the list is replaced as a whole
        <li key={at}>
          <Icon name={trigger.kind === "event" ? "button" : "event"} size={16} />
          <bdi>{cut(triggerWords(trigger, name), 100)}</bdi>
        </li>
      ))}
    </ul>
  );
}
