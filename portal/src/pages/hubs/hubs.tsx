/** The hubs of an environment with their connections. */
import { Button, Text } from "@mantine/core";
import type { Client } from "@porchlight/shared/api";
import { reasonOf } from "@porchlight/shared/presentation";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { hasConnected } from "../../data/hubs.ts";
import { clientsQuery, devicesQuery } from "../../data/queries.ts";
import { Page } from "../../kit/display/page.tsx";
import { Empty, QueryView } from "../../kit/display/query-view.tsx";
import { HubCommands } from "../../kit/display/shell-commands.tsx";
import { OnlineState } from "../../kit/display/state.tsx";
import { type Column, DataTable } from "../../kit/display/table.tsx";
import { Age } from "../../kit/text/age.tsx";
import { Name } from "../../kit/text/name.tsx";
import { skewOf, tookOf } from "../../kit/text/quantity.ts";
import { useApi } from "../../session/context.tsx";

const route = getRouteApi("/inside/environments/$environmentId/hubs");

export function HubsPage() {
  const { environmentId } = route.useParams();
  const api = useApi();
  const hubs = useQuery(clientsQuery(api, environmentId));
  const { data: devices } = useQuery(devicesQuery(api, environmentId));
  const deviceCount = (id: string) => devices?.filter(({ clientId }) => clientId === id).length;
  return (
    <Page
      title="Hubs"
      lead="A hub is the computer in the home that connects its devices to the service."
      actions={hubs.data?.length !== 0 && <PairButton environmentId={environmentId} />}
    >
      <QueryView query={hubs} isEmpty={(data) => data.length === 0} empty={<NoHubs environmentId={environmentId} />}>
        {(data) => (
          <DataTable
            label="Hubs"
            rows={data}
            columns={columnsOf(deviceCount)}
            idOf={({ id }) => id}
            {...(data.length > 5 && { textOf: textOfHub })}
          />
        )}
      </QueryView>
    </Page>
  );
}

const textOfHub = ({ id, alias = "", edgeId = "" }: Client) => `${alias} ${edgeId} ${id}`;

function PairButton({ environmentId }: { readonly environmentId: string }) {
  return (
    <Button renderRoot={(props) => <Link to="/pair" search={{ environment: environmentId }} {...props} />}>
      Pair hub
    </Button>
  );
}

function columnsOf(deviceCount: (id: string) => number | undefined): Column<Client>[] {
  return [
    { name: "Hub", cell: (hub) => <HubLink hub={hub} /> },
    { name: "State", cell: ({ connection }) => <Presence connection={connection} /> },
    {
      name: "Last heard",
      cell: ({ connection }) =>
        connection.lastSeenAt ? <Age at={connection.lastSeenAt} /> : hasConnected(connection) ? NOT_KNOWN : "never",
    },
    { name: "Devices", isNumber: true, cell: ({ id }) => deviceCount(id) ?? NOT_KNOWN },
    { name: "Agent", cell: ({ connection }) => connection.agentVersion ?? NOT_KNOWN },
    { name: "Reconnects, 24 h", isNumber: true, cell: ({ connection }) => connection.reconnects24h ?? NOT_KNOWN },
    {
      name: "Round trip",
      isNumber: true,
      cell: ({ connection: { roundTripMs } }) => (roundTripMs === undefined ? NOT_KNOWN : tookOf(roundTripMs)),
    },
    {
      name: "Clock",
      cell: ({ connection: { clockSkewMs } }) => (clockSkewMs === undefined ? NOT_KNOWN : skewOf(clockSkewMs)),
    },
    { name: "Reports to send", isNumber: true, cell: ({ connection }) => connection.queuedReports ?? NOT_KNOWN },
  ];
}

/** Shown for values that are available only while the hub is connected. */
const NOT_KNOWN = "–";

function HubLink({ hub }: { readonly hub: Client }) {
  const { id: clientId, environmentId } = hub;
  return (
    <Link to="/environments/$environmentId/hubs/$clientId" params={{ environmentId, clientId }}>
      <Name of={hub} />
    </Link>
  );
}

/** The online state, with the reason for being offline below it. */
function Presence({ connection }: { readonly connection: Client["connection"] }) {
  const { state, reason } = connection;
  if (!hasConnected(connection) && state === "offline") return <>never connected</>;
  return (
    <>
      <OnlineState connection={connection} />
      {state !== "online" && reason && (
        <Text size="sm" c="dimmed">
          {reasonOf(reason).says}
        </Text>
      )}
      {state === "unknown" && (
        <Text size="sm" c="dimmed">
          The service has just started and is waiting for it.
        </Text>
      )}
    </>
  );
}

function NoHubs({ environmentId }: { readonly environmentId: string }) {
  return (
    <>
      <Empty title="No hubs yet">Pair a hub to see and control the devices in a home.</Empty>
      <HubCommands>
        <PairButton environmentId={environmentId} />
      </HubCommands>
    </>
  );
}
