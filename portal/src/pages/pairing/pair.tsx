/** Pairs a hub: enter its code, review the hub, and approve it. */
import { Button, Group, Stack, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link, useRouter } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { hasConnected, pairingQuery } from "../../data/hubs.ts";
import { clientQuery, devicesQuery } from "../../data/queries.ts";
import { type NewNames, NewNamesFields, useNewNames } from "../../devices/new-names-fields.tsx";
import { CodeBlock } from "../../kit/display/id.tsx";
import { Page, Section } from "../../kit/display/page.tsx";
import { Loading, QueryView } from "../../kit/display/query-view.tsx";
import { OnlineState } from "../../kit/display/state.tsx";
import { NameText } from "../../kit/text/name.tsx";
import { titleOf } from "../../kit/text/names.ts";
import { counted } from "../../kit/text/quantity.ts";
import { pairCommand } from "../../kit/text/shell-commands.ts";
import { useApi } from "../../session/context.tsx";
import { readCode } from "./code.ts";
import { CodeFailure, CodeForm } from "./log-in-by-code.tsx";
import { PairingAnswer } from "./pairing-answer.tsx";

const route = getRouteApi("/inside/pair");

export function PairPage() {
  const { code: given = "", approved } = route.useSearch();
  const read = readCode(given);
  return (
    <Page title="Pair hub" lead="Enter the code that the hub shows, compare its key, and approve it.">
      {approved !== undefined ? (
        <PairingWait clientId={approved} />
      ) : read.kind === "code" ? (
        <Waiting code={read.code} />
      ) : (
        <NoCode given={given} />
      )}
    </Page>
  );
}

/** @param given the invalid code from the address */
function NoCode({ given }: { readonly given: string }) {
  const router = useRouter();
  return (
    <Section
      title="Enter the code"
      lead="Eight letters, such as WDJB-MJHT. Hyphen and capitals do not matter. You can also open the link that the hub shows."
    >
      <CodeForm
        given={given}
        submitLabel="Continue"
        onCode={(code) => void router.navigate({ to: "/pair", search: (old) => ({ ...old, code }) })}
      />
      <Text size="sm" c="dimmed">
        No code? You find it in the log of the agent, and this command on the hub shows it too:
      </Text>
      <CodeBlock code={pairCommand(location.origin)} label="command that shows the code" />
    </Section>
  );
}

function Waiting({ code }: { readonly code: string }) {
  const pairing = useQuery(pairingQuery(useApi(), code));
  const queries = useQueryClient();
  const router = useRouter();
  const again = () => {
    queries.removeQueries({ queryKey: ["pairings"] });
    void router.navigate({ to: "/pair", search: ({ environment }) => ({ environment }) });
  };
  if (pairing.isPending) return <Loading />;
  if (pairing.data) return <PairingAnswer pairing={pairing.data} onAnother={again} />;
  return <CodeFailure error={pairing.error} onRetry={() => void pairing.refetch()} onAnother={again} />;
}

/** Poll interval in ms: the hub requests its token every few seconds and connects at once. */
const LOOK_AGAIN = 1000;

function PairingWait({ clientId }: { readonly clientId: string }) {
  const api = useApi();
  const hub = useQuery({
    ...clientQuery(api, clientId),
    // Polls, because the hub can belong to an ecosystem other than the one of the event stream.
    refetchInterval: ({ state }) => (state.data?.connection.state === "online" ? false : LOOK_AGAIN),
  });
  const isOnline = hub.data?.connection.state === "online";
  const environmentId = hub.data?.environmentId ?? "";
  const devices = useQuery({
    ...devicesQuery(api, environmentId),
    enabled: isOnline,
    refetchInterval: ({ state }) => (state.data?.some((each) => each.clientId === clientId) ? false : LOOK_AGAIN * 2),
  });
  const names = useNewNames(isOnline ? environmentId : "", (device) => device.clientId === clientId);
  const count = devices.data?.filter((each) => each.clientId === clientId).length ?? 0;
  return (
    <QueryView query={hub}>
      {(client) => (
        <Section title={isOnline ? "Hub online" : "Hub approved"}>
          <div role="status">
            <Group gap="sm">
              <NameText text={titleOf(client, "Hub")} />
              {hasConnected(client.connection) ? <OnlineState connection={client.connection} /> : "not connected yet"}
            </Group>
            <Text mt="xs">
              {isOnline
                ? count === 0
                  ? "It has not reported any devices yet. Devices that it finds appear by themselves."
                  : `${counted(count, "device")} found so far.`
                : "The hub gets its token and connects within a few seconds. This page updates by itself."}
            </Text>
          </div>
          {names.items.length > 0 && <NewDevices names={names} />}
          <Group>
            <Button
              variant={isOnline ? "filled" : "default"}
              renderRoot={(props) => (
                <Link to="/environments/$environmentId/devices" params={{ environmentId }} {...props} />
              )}
            >
              Go to devices
            </Button>
            <Button
              variant="default"
              renderRoot={(props) => (
                <Link
                  to="/environments/$environmentId/hubs/$clientId"
                  params={{ environmentId, clientId }}
                  {...props}
                />
              )}
            >
              Go to hub
            </Button>
          </Group>
        </Section>
      )}
    </QueryView>
  );
}

/** Name fields for the hub's unnamed devices. */
function NewDevices({ names }: { readonly names: NewNames }) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void names.save();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm" maw="30rem">
        <Text>{names.items.length === 1 ? "One device has no name yet." : "These devices have no names yet."}</Text>
        <NewNamesFields names={names} />
        <Group>
          <Button type="submit" variant="default" loading={names.isSaving}>
            {names.items.length === 1 ? "Save name" : "Save names"}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
