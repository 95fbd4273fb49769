/** The page of an environment: object counts, name, alias, metadata and deletion. */
import { Anchor, Box, Button, Group, Text, TextInput } from "@mantine/core";
import { ref, retryOnConflict } from "@porchlight/sdk";
import type { Environment } from "@porchlight/shared/api";
import { givenName } from "@porchlight/shared/names";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { ecosystemQuery, environmentQuery, quotasQuery } from "../../data/places.ts";
import { clientsQuery, devicesQuery, scenesQuery, zonesQuery } from "../../data/queries.ts";
import { Facts } from "../../kit/display/facts.tsx";
import { Failure } from "../../kit/display/failure.tsx";
import { Id } from "../../kit/display/id.tsx";
import { Page, Section } from "../../kit/display/page.tsx";
import { QueryView } from "../../kit/display/query-view.tsx";
import { AliasField } from "../../kit/forms/alias-field.tsx";
import { Confirm } from "../../kit/forms/confirm.tsx";
import { MetaEditor } from "../../kit/forms/meta-editor.tsx";
import { Age } from "../../kit/text/age.tsx";
import { Name } from "../../kit/text/name.tsx";
import { LONGEST_NAME, NAME_KEY, titleOf } from "../../kit/text/names.ts";
import { counted } from "../../kit/text/quantity.ts";
import { useApi } from "../../session/context.tsx";
import { LogBookSection } from "../log-book/log-book-section.tsx";
import classes from "./counts.module.css";

const route = getRouteApi("/inside/environments/$environmentId");

export function EnvironmentPage() {
  const { environmentId } = route.useParams();
  const api = useApi();
  const environment = useQuery(environmentQuery(api, environmentId));
  return (
    <Page
      title={environment.data ? titleOf(environment.data, "Environment") : "Environment"}
      lead="An environment is one home or building, with its hubs, devices and zones."
      actions={environment.data && <Deletion id={environmentId} />}
      aside={environment.data && <About environment={environment.data} />}
    >
      <QueryView query={environment}>
        {({ ecosystemId }) => (
          <>
            <Section title="Contents">
              <InIt environmentId={environmentId} />
            </Section>
            <LogBookSection scope={{ ecosystemId, environmentId }} />
            <Section title="Metadata">
              <MetaEditor kind="environments" id={environmentId} source={api.environments} />
            </Section>
          </>
        )}
      </QueryView>
    </Page>
  );
}

function InIt({ environmentId }: { readonly environmentId: string }) {
  const api = useApi();
  const quotas = useQuery(quotasQuery(api)).data ?? [];
  const limitOf = (name: string) => quotas.find((quota) => quota.name === name)?.limit;
  const devices = useQuery(devicesQuery(api, environmentId)).data;
  const zones = useQuery(zonesQuery(api, environmentId)).data;
  const scenes = useQuery(scenesQuery(api, environmentId)).data;
  const clients = useQuery(clientsQuery(api, environmentId)).data;
  const isOnline = ({ connection }: { readonly connection?: { readonly state: string } | undefined }) =>
    connection?.state === "online";
  const at = `/environments/${environmentId}`;
  return (
    <Counts
      counts={[
        {
          label: "Devices",
          to: `${at}/devices`,
          count: devices?.length,
          limit: limitOf("devicesPerEnvironment"),
          note: devices && `${devices.filter(isOnline).length} online`,
        },
        { label: "Zones", to: `${at}/zones`, count: zones?.length, limit: limitOf("zonesPerEnvironment") },
        { label: "Scenes", to: `${at}/scenes`, count: scenes?.length, limit: limitOf("scenesPerEnvironment") },
        {
          label: "Hubs",
          to: `${at}/hubs`,
          count: clients?.length,
          limit: limitOf("clientsPerEnvironment"),
          note: clients && `${clients.filter(isOnline).length} online`,
        },
      ]}
    />
  );
}

function About({ environment }: { readonly environment: Environment }) {
  const api = useApi();
  const { id, alias, ecosystemId, createdAt } = environment;
  const ecosystem = useQuery(ecosystemQuery(api, ecosystemId)).data;
  return (
    <Section title="Details">
      <NameField key={`name ${id}`} environment={environment} />
      <AliasField key={id} kind="environments" id={id} alias={alias} source={api.environments} />
      <Facts
        facts={[
          ["ID", <Id key="id" value={id} />],
          ["Reference", <Id key="ref" value={ref(ecosystemId, alias ?? id)} label="reference" />],
          [
            "Ecosystem",
            <Anchor
              key="ecosystem"
              renderRoot={(props) => <Link to="/ecosystems/$ecosystemId" params={{ ecosystemId }} {...props} />}
            >
              <Name of={ecosystem ?? { id: ecosystemId }} />
            </Anchor>,
          ],
          ["Created", <Age key="created" at={createdAt} />],
        ]}
      />
    </Section>
  );
}

function Deletion({ id }: { readonly id: string }) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const devices = useQuery(devicesQuery(api, id)).data?.length;
  const zones = useQuery(zonesQuery(api, id)).data?.length;
  const hubs = useQuery(clientsQuery(api, id)).data?.length;
  const leave = async () => {
    await navigate({ to: "/places", ignoreBlocker: true });
    queries.removeQueries({ queryKey: environmentQuery(api, id).queryKey });
    await queries.invalidateQueries({ queryKey: ["environments"] });
  };
  const contents = [
    hubs === undefined ? "its hubs" : counted(hubs, "hub"),
    devices === undefined ? "its devices" : counted(devices, "device"),
    zones === undefined ? "its zones" : counted(zones, "zone"),
  ];
  return (
    <Confirm
      label="Delete environment"
      title="Delete environment?"
      act={() => api.environments.delete(id)}
      onDone={() => void leave()}
    >
      <Text size="sm">
        Deletes {contents.join(", ")}, its scenes, the users' access to it, and the webhooks for this environment only.
        The tokens of its hubs stop working at once, and each hub must be paired again. This cannot be undone.
      </Text>
    </Confirm>
  );
}

/** The number of objects of each kind, with a link to each list. */
interface Count {
  readonly label: string;
  readonly to: string;
  /** Undefined while it is not known. */
  readonly count: number | undefined;
  /** The maximum number of objects. */
  readonly limit: number | undefined;
  readonly note?: string | undefined;
}

/** Share of the limit from which the page warns. */
const NEAR = 0.8;

function Counts({ counts }: { readonly counts: readonly Count[] }) {
  return (
    <div className={classes.counts}>
      {counts.map(({ label, to, count, limit, note }) => (
        <Link key={label} to={to} className={classes.count}>
          <span className={classes.number}>{count?.toLocaleString("en") ?? "…"}</span>
          <span>{label}</span>
          <Text size="sm" c="dimmed" component="span">
            {note && `${note}, `}
            {limit !== undefined && `at most ${limit.toLocaleString("en")}`}
            {limit !== undefined && count !== undefined && count >= limit * NEAR && " (near the limit)"}
          </Text>
        </Link>
      ))}
    </div>
  );
}

interface NameFieldProps {
  readonly environment: Environment;
}

/** Sets, changes or removes the name of an environment. It writes one metadata key and keeps the others. */
function NameField({ environment: { id, meta } }: NameFieldProps) {
  const { environments } = useApi();
  const queries = useQueryClient();
  const [typed, setTyped] = useState<string>();
  const name = givenName(meta) ?? "";
  const saving = useMutation({
    mutationFn: (next: string) =>
      retryOnConflict(async () => {
        const { value, etag } = await environments.getTagged(id);
        const { [NAME_KEY]: _before, ...others } = value.meta;
        await environments.update(
          id,
          { meta: next === "" ? others : { ...others, [NAME_KEY]: next } },
          { ifMatch: etag },
        );
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ["environments"] });
      setTyped(undefined);
    },
  });
  const isChanged = typed !== undefined && typed.trim() !== name;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isChanged) saving.mutate(typed.trim());
  };
  const change = (text: string) => {
    setTyped(text);
    saving.reset();
  };
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="sm" mb="md">
        <Box flex="1 1 14rem">
          <TextInput
            label="Name"
            description="What people see. Without a name, the portal shows the alias."
            autoComplete="off"
            maxLength={LONGEST_NAME}
            value={typed ?? name}
            onChange={(event) => change(event.currentTarget.value)}
          />
        </Box>
        <Button type="submit" variant="default" disabled={!isChanged} loading={saving.isPending}>
          Save name
        </Button>
        {isChanged && (
          <Button variant="subtle" color="gray" onClick={() => setTyped(undefined)}>
            Discard
          </Button>
        )}
      </Group>
      {saving.error && <Failure error={saving.error} />}
      {saving.isSuccess && typed === undefined && (
        <Text size="sm" role="status" mb="md">
          Saved.
        </Text>
      )}
    </form>
  );
}
