/** The page of a scene: call it, edit it, and its details for developers. */
import { Anchor, Text } from "@mantine/core";
import { ref } from "@porchlight/sdk";
import type { Scene } from "@porchlight/shared/api";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { sceneQuery } from "../../data/places.ts";
import { clientsQuery } from "../../data/queries.ts";
import { Facts } from "../../kit/display/facts.tsx";
import { Id } from "../../kit/display/id.tsx";
import { Page, Section } from "../../kit/display/page.tsx";
import { QueryView } from "../../kit/display/query-view.tsx";
import { AliasField } from "../../kit/forms/alias-field.tsx";
import { Confirm } from "../../kit/forms/confirm.tsx";
import { MetaEditor } from "../../kit/forms/meta-editor.tsx";
import { Age } from "../../kit/text/age.tsx";
import { titleOf } from "../../kit/text/names.ts";
import { useApi } from "../../session/context.tsx";
import { CallButton, CallResult } from "./call-result.tsx";
import { SceneEditor } from "./scene-editor.tsx";
import { type SceneHome, useSceneHome } from "./scene-home.ts";
import { SceneItems, SceneTriggers } from "./scenes.tsx";
import { useSceneCall } from "./use-scene-call.ts";

const route = getRouteApi("/inside/environments/$environmentId/scenes/$sceneId");

export function ScenePage() {
  const { environmentId, sceneId } = route.useParams();
  const api = useApi();
  const scene = useQuery(sceneQuery(api, sceneId));
  const home = useSceneHome(environmentId);
  const known = scene.data?.value;
  return (
    <Page
      title={known ? titleOf(known, "Scene") : "Scene"}
      lead={
        <Anchor
          className="alone"
          renderRoot={(props) => (
            <Link to="/environments/$environmentId/scenes" params={{ environmentId }} {...props} />
          )}
        >
          All scenes
        </Anchor>
      }
      actions={known && <Deletion scene={known} />}
      aside={known && <About scene={known} />}
    >
      <QueryView query={scene}>
        {(tagged) => (
          <>
            <Call scene={tagged.value} home={home.data} />
            <QueryView query={home}>{(all) => <SceneEditor key={sceneId} scene={tagged} home={all} />}</QueryView>
            <Section title="Metadata">
              <MetaEditor kind="scenes" id={sceneId} source={api.scenes} />
            </Section>
          </>
        )}
      </QueryView>
    </Page>
  );
}

function Call({ scene, home }: { readonly scene: Scene; readonly home: SceneHome | undefined }) {
  const call = useSceneCall(scene.environmentId, scene.id);
  return (
    <Section title="Call">
      <SceneItems items={scene.items} home={home} />
      <SceneTriggers triggers={scene.triggers} home={home} />
      <CallButton scene={scene} call={call} isPrimary />
      <CallResult environmentId={scene.environmentId} call={call} />
    </Section>
  );
}

function Deletion({ scene: { id, environmentId, triggers } }: { readonly scene: Scene }) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const leave = async () => {
    await navigate({ to: "/environments/$environmentId/scenes", params: { environmentId }, ignoreBlocker: true });
    queries.removeQueries({ queryKey: sceneQuery(api, id).queryKey });
    await queries.invalidateQueries({ queryKey: ["scenes"] });
  };
  return (
    <Confirm label="Delete scene" title="Delete scene?" act={() => api.scenes.delete(id)} onDone={() => void leave()}>
      <Text size="sm">
        Devices stay as they are. {triggers.length > 0 && "Its triggers end. "}Programs can no longer call it. This
        cannot be undone.
      </Text>
    </Confirm>
  );
}

function About({ scene }: { readonly scene: Scene }) {
  const api = useApi();
  const { id, environmentId, alias, hubId, createdAt } = scene;
  return (
    <Section title="Details">
      <AliasField key={id} kind="scenes" id={id} alias={alias} source={api.scenes} />
      <Facts
        facts={[
          ["ID", <Id key="id" value={id} />],
          ["Reference", <Id key="ref" value={ref(environmentId, alias ?? id)} label="reference" />],
          ["Stored on hub", <StoredOn key="hub" environmentId={environmentId} hubId={hubId} />],
          ["Created", <Age key="created" at={createdAt} />],
        ]}
      />
    </Section>
  );
}

interface StoredOnProps {
  readonly environmentId: string;
  readonly hubId: string | undefined;
}

function StoredOn({ environmentId, hubId }: StoredOnProps) {
  const hubs = useQuery(clientsQuery(useApi(), environmentId)).data;
  if (hubId === undefined) return "no: its devices are not all of one hub";
  const hub = hubs?.find(({ id }) => id === hubId);
  return hub?.connection.storesScenes === false ? "no: the agent on its hub is too old" : <Id value={hubId} />;
}
