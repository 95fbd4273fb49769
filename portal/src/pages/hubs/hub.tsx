/** The page of a hub: connection, status, devices, log, backups, name and tokens, and restart, removal or replacement. */
import { Anchor, Text } from "@mantine/core";
import type { Client } from "@porchlight/shared/api";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useRouter } from "@tanstack/react-router";
import { awaySince } from "../../data/hubs.ts";
import { clientQuery, devicesQuery } from "../../data/queries.ts";
import { Id } from "../../kit/display/id.tsx";
import { Page, Section } from "../../kit/display/page.tsx";
import { Empty, QueryView } from "../../kit/display/query-view.tsx";
import { OnlineState } from "../../kit/display/state.tsx";
import { DataTable } from "../../kit/display/table.tsx";
import { AliasField } from "../../kit/forms/alias-field.tsx";
import { Confirm } from "../../kit/forms/confirm.tsx";
import { MetaEditor } from "../../kit/forms/meta-editor.tsx";
import { Age } from "../../kit/text/age.tsx";
import { Name } from "../../kit/text/name.tsx";
import { titleOf } from "../../kit/text/names.ts";
import { counted } from "../../kit/text/quantity.ts";
import { useApi } from "../../session/context.tsx";
import { HubBackups } from "./hub-backups.tsx";
import { HubDrivers } from "./hub-drivers.tsx";
import { HubLog } from "./hub-log.tsx";
import { HubMatter } from "./hub-matter.tsx";
import { HubRestart } from "./hub-restart.tsx";
import { HubAbout, HubConnection, HubHealth } from "./hub-status.tsx";
import { HubTokens } from "./hub-tokens.tsx";

const route = getRouteApi("/inside/environments/$environmentId/hubs/$clientId");

export function HubPage() {
  const { environmentId, clientId } = route.useParams();
  const hub = useQuery(clientQuery(useApi(), clientId));
  return (
    <Page
      title={hub.data ? titleOf(hub.data, "Hub") : "Hub"}
      lead={<Id value={clientId} label="hub ID" />}
      actions={hub.data && <Remove client={hub.data} />}
      aside={<Replacing environmentId={environmentId} />}
    >
      <QueryView query={hub}>
        {(client) => (
          <>
            <HubConnection client={client} />
            <HubHealth client={client} />
            <HubDrivers client={client} />
            <HubMatter client={client} />
            <HubDevices client={client} />
            <HubAbout client={client} />
            <HubLog client={client} />
            <HubBackups client={client} />
            <HubRestart client={client} />
            <Section title="Name and metadata">
              <Naming client={client} />
            </Section>
            <HubTokens clientId={client.id} />
          </>
        )}
      </QueryView>
    </Page>
  );
}

function Naming({ client: { id, alias } }: { readonly client: Client }) {
  const { clients } = useApi();
  return (
    <>
      <AliasField kind="clients" id={id} alias={alias} source={clients} />
      <MetaEditor kind="clients" id={id} source={clients} />
    </>
  );
}

/** Deletes the hub together with its physical devices. */
function Remove({ client }: { readonly client: Client }) {
  const api = useApi();
  const router = useRouter();
  const { environmentId, id } = client;
  const { data: devices = [] } = useQuery(devicesQuery(api, environmentId));
  const count = devices.filter(({ clientId }) => clientId === id).length;
  return (
    <Confirm
      label="Remove hub"
      title="Remove hub?"
      act={() => api.clients.delete(id)}
      onDone={() =>
        void router.navigate({
          to: "/environments/$environmentId/hubs",
          params: { environmentId },
          ignoreBlocker: true,
        })
      }
    >
      <Text size="sm">
        {count === 0
          ? "No devices are removed with it."
          : `${counted(count, "device")} that it connects ${count === 1 ? "is" : "are"} deleted with it, and removed from every zone.`}{" "}
        Its tokens stop working, and it is disconnected within five seconds. To keep the devices, first pair another hub
        that is connected to them, and remove this one when the devices have moved.
      </Text>
    </Confirm>
  );
}

function Replacing({ environmentId }: { readonly environmentId: string }) {
  return (
    <Section title="Replace a broken hub">
      <Text size="sm" component="div">
        <p>Another hub can take its place. The devices keep their IDs, aliases and zones:</p>
        <ol>
          <li>Connect the new hub to the same devices.</li>
          <li>
            <Anchor
              underline="always"
              renderRoot={(props) => <Link to="/pair" search={{ environment: environmentId }} {...props} />}
            >
              Pair it
            </Anchor>{" "}
            into this environment.
          </li>
          <li>Wait a minute. Devices move once the old hub has been offline for that long.</li>
          <li>When they are online again, remove the old hub.</li>
        </ol>
      </Text>
    </Section>
  );
}

/** The devices behind the hub. */
function HubDevices({ client: { id, environmentId, connection: hub } }: { readonly client: Client }) {
  const devices = useQuery({
    ...devicesQuery(useApi(), environmentId),
    select: (all) => all.filter(({ clientId }) => clientId === id),
  });
  return (
    <Section title="Devices">
      <QueryView query={devices} isEmpty={(all) => all.length === 0} empty={<NoDevices />}>
        {(all) => (
          <DataTable
            label="Devices of the hub"
            rows={all}
            idOf={(device) => device.id}
            columns={[
              {
                name: "Device",
                cell: (device) => (
                  <Link
                    to="/environments/$environmentId/devices/$deviceId"
                    params={{ environmentId, deviceId: device.id }}
                  >
                    <Name of={device} />
                  </Link>
                ),
              },
              { name: "State", cell: ({ connection }) => <OnlineState connection={connection} /> },
              { name: "Since", cell: ({ connection }) => <Since at={connection && awaySince(connection, hub)} /> },
              { name: "Edge ID", cell: ({ edgeId }) => <span className="mono">{edgeId}</span> },
            ]}
          />
        )}
      </QueryView>
    </Section>
  );
}

function Since({ at }: { readonly at: string | undefined }) {
  return at !== undefined && <Age at={at} />;
}

function NoDevices() {
  return (
    <Empty title="No devices on this hub">
      Devices on its serial lines appear by themselves. Other devices must be set up or admitted first, under Drivers.
    </Empty>
  );
}
