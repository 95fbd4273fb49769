/**
 * Since when a hub or device is away, in the same way on every page: for an unreachable one the time of its last contact, not the later
 * time of detection.
 */
import type { Client, Device } from "@porchlight/shared/api";

/**
 * @param hub the connection of the device's hub; undefined while it is not known
 * @returns undefined while the time is unknown: the hub's connection is not fetched yet, or the last fetch found the hub online
 */
export function awaySince(
  { state, since }: Pick<NonNullable<Device["connection"]>, "state" | "since">,
  hub: Client["connection"] | undefined,
): string | undefined {
  if (state !== "unknown") return since;
  // The device's own `since` is the time of detection, which is later than the hub's last contact.
  return hub === undefined || hub.state === "online" ? undefined : (hub.lastSeenAt ?? since);
}

/**
 * Whether the hub has ever connected. The agent version is known from then on; `lastSeenAt` is missing if the service crashed during the
 * connection.
 */
export function hasConnected({
  state,
  agentVersion,
  lastSeenAt,
}: Pick<Client["connection"], "state" | "agentVersion" | "lastSeenAt">): boolean {
  return state === "online" || agentVersion !== undefined || lastSeenAt !== undefined;
}
