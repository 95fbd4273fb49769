/** What of the way to a device is not there at present: its hub, or the device behind it. */
import type { Device, Why } from "@porchlight/shared/api";
import { formatTime } from "@porchlight/shared/api";
import { nameOf } from "@porchlight/shared/names";
import { DEFAULT_META_PREFIX, showMeta } from "../access/index.ts";
import type { Store } from "../store/index.ts";
import { type ClientSnapshot, type HubConnection, readClient } from "../tunnels/index.ts";

export interface Way {
  readonly hub: Why["hub"];
  readonly obstacles: Why["obstacles"];
}

/** @throws "Service Unavailable" */
export async function wayTo(
  store: Store,
  presence: (client: ClientSnapshot) => HubConnection,
  { ecosystemId, clientId, connection }: Pick<Device, "ecosystemId" | "clientId" | "connection">,
): Promise<Way> {
  const client =
    clientId === undefined ? undefined : await readClient(store.of(ecosystemId).sql, ecosystemId, clientId);
  if (!client) return { hub: undefined, obstacles: [] };
  const name = nameOf({ id: client.id, alias: client.alias, meta: showMeta(client.meta, DEFAULT_META_PREFIX) });
  return { hub: { id: client.id, name }, obstacles: obstaclesOf(presence(client), connection) };
}

/** While the hub is away nothing is known of its devices. */
function obstaclesOf(
  { state, since, reason }: Pick<HubConnection, "state" | "since" | "reason">,
  device: Device["connection"],
): Why["obstacles"] {
  if (state === "offline")
    return [{ kind: "hub_offline", since: formatTime(since), ...(reason !== undefined && { reason }) }];
  if (state === "unknown") return [{ kind: "hub_offline", isUnsure: true }];
  return device?.state === "offline" ? [{ kind: "device_offline", since: device.since }] : [];
}
