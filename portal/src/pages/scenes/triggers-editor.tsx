/** The triggers by which the hub calls a scene; or the reason why the scene cannot have any. */
import { ActionIcon, Button, Group, Text } from "@mantine/core";
import type { Environment, SceneItem, SceneTrigger } from "@porchlight/shared/api";
import { useQuery } from "@tanstack/react-query";
import { clientsQuery } from "../../data/queries.ts";
import { Icon } from "../../kit/display/icon.tsx";
import { Section } from "../../kit/display/page.tsx";
import { cut, nameOf } from "../../kit/text/names.ts";
import { useApi } from "../../session/context.tsx";
import { HomeFacts } from "./home-facts.tsx";
import { hubOf, type SceneHome } from "./scene-home.ts";
import { buttonsOf, MOST_TRIGGERS, newTrigger, type TriggerKind, triggerFault } from "./trigger-draft.ts";
import { TriggerFields } from "./trigger-fields.tsx";
import { triggerWords } from "./trigger-words.ts";
import classes from "./triggers.module.css";
import { whyNoTriggers } from "./why-no-triggers.ts";

interface TriggersEditorProps {
  readonly environment: Environment;
  readonly home: SceneHome;
  readonly items: readonly SceneItem[];
  readonly triggers: readonly SceneTrigger[];
  readonly onChange: (triggers: readonly SceneTrigger[]) => void;
}

const KINDS: readonly (readonly [kind: TriggerKind, label: string])[] = [
  ["event", "Add button"],
  ["time", "Add time"],
  ["sun", "Add sunrise or sunset"],
];

export function TriggersEditor({ environment, home, items, triggers, onChange }: TriggersEditorProps) {
  const hub = hubOf(home, items);
  const buttons = hub.kind === "one" ? buttonsOf(home, hub.hubId) : [];
  const hubs = useQuery(clientsQuery(useApi(), environment.id));
  const why = whyNoTriggers(hub, hubs.data ?? []);
  const isFull = triggers.length >= MOST_TRIGGERS;
  const name = (id: string) => {
    const device = home.forest.devices.get(id);
    return device && nameOf(device);
  };
  return (
    <Section title="Triggers" lead="When the hub calls the scene by itself, also without the internet.">
      {why && (
        <Text size="sm" c={triggers.length > 0 ? "bad" : "dimmed"}>
          <bdi>{why.says}</bdi> {triggers.length > 0 && why.cure}
        </Text>
      )}
      {triggers.length > 0 && (
        <ul className={classes.triggers} aria-label="Triggers">
          {triggers.map((trigger, at) => {
            const words = cut(triggerWords(trigger, name), 100);
            const fault = triggerFault(trigger, environment);
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies a trigger, because two can be equal
              <li key={at}>
                <div className={classes.words}>
                  <bdi>{words}</bdi>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={`Remove trigger: ${words}`}
                    onClick={() => onChange(triggers.toSpliced(at, 1))}
                  >
                    <Icon name="close" />
                  </ActionIcon>
                </div>
                <div className={classes.fields}>
                  <TriggerFields {...{ trigger, buttons }} onChange={(next) => onChange(triggers.with(at, next))} />
                </div>
                {fault && (
                  <Text size="sm" c="bad">
                    {fault}
                  </Text>
                )}
              </li>
            );
          })}
        </ul>
      )}
      {triggers.some(({ kind }) => kind !== "event") && (
        <HomeFacts environment={environment} needsLocation={triggers.some(({ kind }) => kind === "sun")} />
      )}
      {!why && !hubs.isPending && (
        <>
          <Group gap="xs">
            {KINDS.filter(([kind]) => kind !== "event" || buttons.length > 0).map(([kind, label]) => (
              <Button
                key={kind}
                size="xs"
                variant="default"
                disabled={isFull}
                onClick={() => onChange([...triggers, newTrigger(kind, buttons)])}
              >
                {label}
              </Button>
            ))}
          </Group>
          <Text size="sm" c="dimmed">
            {isFull && `A scene has at most ${MOST_TRIGGERS} triggers. `}
            {buttons.length === 0 && "No button is connected to the hub of this scene."}
          </Text>
        </>
      )}
    </Section>
  );
}
