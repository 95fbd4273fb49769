/** The empty list of devices with the steps to the first device. It loads on demand, because most homes have devices. */
import { Button, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { clientsQuery } from "../data/queries.ts";
import { Empty, Loading } from "../kit/display/query-view.tsx";
import { HubCommands } from "../kit/display/shell-commands.tsx";
import { useApi } from "../session/context.tsx";

export default function NoDevices({ environmentId }: { readonly environmentId: string }) {
  const hubs = useQuery(clientsQuery(useApi(), environmentId));
  if (hubs.isPending) return <Loading />;
  const virtual = (
    <Button
      variant="default"
      renderRoot={(props) => (
        <Link to="/environments/$environmentId/devices/new" params={{ environmentId }} {...props} />
      )}
    >
      Create virtual device
    </Button>
  );
  if (hubs.data && hubs.data.length > 0)
    return (
      <Empty
        title="No devices yet"
        action={
          <Group>
            <Button
              renderRoot={(props) => (
                <Link to="/environments/$environmentId/hubs" params={{ environmentId }} {...props} />
              )}
            >
              Go to hubs
            </Button>
            {virtual}
          </Group>
        }
      >
        Devices that a hub finds appear here by themselves. Some must be set up or admitted on the page of the hub.
      </Empty>
    );
  return (
    <>
      <Empty title="No devices yet">
        Devices appear here as soon as the hub that they are connected to is paired. You can also create a virtual
        device.
      </Empty>
      <HubCommands>
        <Button renderRoot={(props) => <Link to="/pair" search={{ environment: environmentId }} {...props} />}>
          Pair hub
        </Button>
        {virtual}
      </HubCommands>
    </>
  );
}
