/** Creates a scene from the current state: choose devices, leave out single values, and name it. */
import { Button, Checkbox, Group, Stack, Text, TextInput } from "@mantine/core";
import type { SceneItem } from "@porchlight/shared/api";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useTitles } from "../../devices/use-titles.ts";
import { Failure } from "../../kit/display/failure.tsx";
import { Page, Section } from "../../kit/display/page.tsx";
import { Empty, QueryView } from "../../kit/display/query-view.tsx";
import { Submit } from "../../kit/forms/buttons.tsx";
import { Unsaved } from "../../kit/forms/unsaved.tsx";
import { NameText } from "../../kit/text/name.tsx";
import { cut, LONGEST_NAME, NAME_KEY } from "../../kit/text/names.ts";
import { counted } from "../../kit/text/quantity.ts";
import { valueWords } from "../../kit/text/value-words.ts";
import { useApi } from "../../session/context.tsx";
import { nameIn } from "../zones/forest.ts";
import { DeviceChoice } from "./device-choice.tsx";
import classes from "./edit.module.css";
import { ItemFault, itemTitles } from "./items-editor.tsx";
import { type SceneHome, useSceneHome } from "./scene-home.ts";
import { capturable, captured } from "./zone-items.ts";

const route = getRouteApi("/inside/environments/$environmentId/scenes/new");

export function NewScenePage() {
  const { environmentId } = route.useParams();
  const home = useSceneHome(environmentId);
  return (
    <Page title="Create scene" lead="Set your devices as you want them. The scene takes the values that they have now.">
      <QueryView
        query={home}
        isEmpty={(known) => capturable(known).size === 0}
        empty={
          <Empty
            title="Nothing to take yet"
            action={
              <Button
                renderRoot={(props) => (
                  <Link to="/environments/$environmentId/devices" params={{ environmentId }} {...props} />
                )}
              >
                Go to devices
              </Button>
            }
          >
            A scene needs a device with a known value that can be set, such as a lamp. This environment has none.
          </Empty>
        }
      >
        {(known) => <Form key={environmentId} environmentId={environmentId} home={known} />}
      </QueryView>
    </Page>
  );
}

const NONE: ReadonlySet<string> = new Set();

function Form({ environmentId, home }: { readonly environmentId: string; readonly home: SceneHome }) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState(NONE);
  const [without, setWithout] = useState(NONE);
  const shown = captured(home, [...chosen]);
  const items = shown.filter((item) => !without.has(itemKey(item)));
  const making = useMutation({
    mutationFn: () => api.scenes.create({ environmentId, meta: { [NAME_KEY]: name.trim() }, items: [...items] }),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: ["scenes"] });
      await navigate({
        to: "/environments/$environmentId/scenes/$sceneId",
        params: { environmentId, sceneId: id },
        ignoreBlocker: true,
      });
    },
  });
  const isReady = name.trim() !== "" && items.length > 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) making.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Unsaved isThere={!making.isSuccess && (name !== "" || chosen.size > 0)} what="This scene is" />
      <Stack gap="lg">
        <Section title="Devices" lead="Choose zones or single devices.">
          <DeviceChoice home={home} chosen={chosen} onChange={setChosen} />
        </Section>
        {shown.length > 0 && (
          <Section title="Values" lead="What the scene will set. Clear what it should leave alone.">
            <ValueChoice home={home} items={shown} without={without} onChange={setWithout} error={making.error} />
          </Section>
        )}
        <Section title="Name">
          <TextInput
            label="Name"
            description="Such as “Evening”."
            autoComplete="off"
            maxLength={LONGEST_NAME}
            maw="30rem"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          {making.error && <Failure error={making.error} />}
          <Group>
            <Submit label="Create scene" isPending={making.isPending} isReady={isReady} error={making.error} />
            <Text size="sm" c="dimmed" role="status">
              {items.length === 0 ? "Choose at least one device." : `Sets ${counted(items.length, "value")}.`}
              {items.length > 0 && name.trim() === "" && " Give it a name."}
            </Text>
          </Group>
        </Section>
      </Stack>
    </form>
  );
}

/** Key of an item in a new scene, which never sets a property twice. */
function itemKey({ target, service }: Pick<SceneItem, "target" | "service">): string {
  return `${target} ${service}`;
}

interface ValueChoiceProps {
  readonly home: SceneHome;
  readonly items: readonly SceneItem[];
  /** Keys of the items that are left out. */
  readonly without: ReadonlySet<string>;
  readonly onChange: (without: ReadonlySet<string>) => void;
  /** The error of the last attempt. */
  readonly error: unknown;
}

/** Checkboxes to leave single values of the chosen devices out of the scene. */
function ValueChoice({ home, items, without, onChange, error }: ValueChoiceProps) {
  const titles = useTitles();
  const titleOf = itemTitles(home, titles);
  const sent = items.filter((item) => !without.has(itemKey(item)));
  return (
    <div className={classes.rooms}>
      {[...Map.groupBy(items, ({ target }) => target)].map(([target, own]) => (
        <fieldset key={target} className={classes.room}>
          <legend className={classes.zone}>
            <NameText text={nameIn(home.forest, target)} />
          </legend>
          {own.map((item) => {
            const { title, property, unit } = titleOf(item);
            const key = itemKey(item);
            return (
              <div key={key}>
                <Checkbox
                  label={
                    <>
                      <bdi>{title}</bdi>: <bdi>{cut(valueWords(item.value, property, unit), 80)}</bdi>
                    </>
                  }
                  checked={!without.has(key)}
                  onChange={(event) => {
                    const next = new Set(without);
                    event.currentTarget.checked ? next.delete(key) : next.add(key);
                    onChange(next);
                  }}
                />
                <ItemFault error={error} at={sent.indexOf(item)} />
              </div>
            );
          })}
        </fieldset>
      ))}
    </div>
  );
}
