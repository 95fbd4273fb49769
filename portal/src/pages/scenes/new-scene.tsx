/** Creates a scene from the current state: choose devices, leave out single values, and name it. */
import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { Failure } from "../../kit/display/failure.tsx";
import { Page, Section } from "../../kit/display/page.tsx";
import { Empty, QueryView } from "../../kit/display/query-view.tsx";
import { Submit } from "../../kit/forms/submit.tsx";
import { Unsaved } from "../../kit/forms/unsaved.tsx";
import { LONGEST_NAME, NAME_KEY } from "../../kit/text/names.ts";
import { counted } from "../../kit/text/quantity.ts";
import { useApi } from "../../session/context.tsx";
import { DeviceChoice } from "./device-choice.tsx";
import { type SceneHome, useSceneHome } from "./scene-home.ts";
import { itemKey, ValueChoice } from "./value-choice.tsx";
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
