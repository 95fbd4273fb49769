/** After the approval: waits until the hub is online, then shows its devices. */
import { Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { hasConnected } from "../../data/hubs.ts";
import { clientQuery, devicesQuery } from "../../data/queries.ts";
import { type NewNames, NewNamesFields, useNewNames } from "../../devices/new-names-fields.tsx";
import { Section } from "../../kit/display/page.tsx";
import { QueryView } from "../../kit/display/query-view.tsx";
import { OnlineState } from "../../kit/display/state.tsx";
import { NameText } from "../../kit/text/name.tsx";
import { titleOf } from "../../kit/text/names.ts";
import { counted } from "../../kit/text/quantity.ts";
import { useApi } from "../../session/context.tsx";

/** Poll interval in ms: the hub requests its token every few seconds and connects at once. */
const LOOK_AGAIN = 1000;

export function PairingWait({ clientId }: { readonly clientId: string }) {
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
