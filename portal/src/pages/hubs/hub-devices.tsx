/** The section with the devices behind a hub. */
import type { Client } from "@porchlight/shared/api";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { awaySince } from "../../data/hubs.ts";
import { devicesQuery } from "../../data/queries.ts";
import { Section } from "../../kit/display/page.tsx";
import { Empty, QueryView } from "../../kit/display/query-view.tsx";
import { OnlineState } from "../../kit/display/state.tsx";
import { DataTable } from "../../kit/display/table.tsx";
import { Age } from "../../kit/text/age.tsx";
import { Name } from "../../kit/text/name.tsx";
import { useApi } from "../../session/context.tsx";

/** The devices behind the hub. */
export function HubDevices({ client: { id, environmentId, connection: hub } }: { readonly client: Client }) {
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
