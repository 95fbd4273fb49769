/** The notice on an unreachable device's page: how old the values are, and the effect of a change. */
import { Alert, Group, SegmentedControl, Text } from "@mantine/core";
import type { Client, Device } from "@porchlight/shared/api";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { awaySince } from "../../data/hubs.ts";
import { clientQuery } from "../../data/queries.ts";
import { Age, clockOf } from "../../kit/text/age.tsx";
import { useApi } from "../../session/context.tsx";
import classes from "./away.module.css";

/** How long a change can wait for its hub, in seconds. */
const WAITS = [
  { ttlSeconds: undefined, label: "Fail at once" },
  { ttlSeconds: 600, label: "Keep for 10 min" },
  { ttlSeconds: 3600, label: "Keep for 1 h" },
  { ttlSeconds: 86_400, label: "Keep for 24 h" },
] as const;

interface AwayProps {
  readonly device: Device;
  readonly ttlSeconds: number | undefined;
  readonly onWait: (ttlSeconds: number | undefined) => void;
}

export function Away({ device, ttlSeconds, onWait }: AwayProps) {
  const { connection, clientId, environmentId } = device;
  const silent = useHubConnection(device);
  if (!connection || connection.state === "online") return null;
  const at = awaySince(connection, silent);
  const since = at !== undefined && (
    <>
      {" "}
      since {clockOf(at)} (<Age at={at} />)
    </>
  );
  if (connection.state === "offline")
    return (
      <Alert role="status" color="amber" variant="light" title="The device does not respond to its hub">
        <Text size="sm">
          It is offline{since}. Its last known values are shown. Changes are still tried, and fail while the device
          cannot be reached.
        </Text>
      </Alert>
    );
  const hub =
    clientId === undefined ? (
      "Its hub"
    ) : (
      <Link
        className={classes.link}
        to="/environments/$environmentId/hubs/$clientId"
        params={{ environmentId, clientId }}
      >
        Its hub
      </Link>
    );
  return (
    <Alert role="status" color="amber" variant="light" title="Hub not responding">
      <Text size="sm">
        {hub} has been offline{since}, so the state of the device is unknown. Its last known values are shown. You can
        let a change fail at once, with nothing sent, or have the service keep it until the hub is back. After that time
        it is never carried out.
      </Text>
      <Group gap="sm" mt="xs">
        <Text size="sm" id="when-away">
          Changes made now:
        </Text>
        <SegmentedControl
          size="xs"
          aria-labelledby="when-away"
          data={WAITS.map(({ label }, at) => ({ label, value: String(at) }))}
          value={String(WAITS.findIndex((each) => each.ttlSeconds === ttlSeconds))}
          onChange={(at) => onWait(WAITS[Number(at)]?.ttlSeconds)}
        />
      </Group>
    </Alert>
  );
}

/**
 * The connection of a device's hub, from the same query as the hub's own page; undefined while it loads, and for a device without a hub.
 */
export function useHubConnection({ clientId, connection }: Device): Client["connection"] | undefined {
  const isAsked = clientId !== undefined && connection?.state === "unknown";
  return useQuery({ ...clientQuery(useApi(), clientId ?? ""), enabled: isAsked }).data?.connection;
}
