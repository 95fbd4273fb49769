/** When a hub or device was heard, for every page alike: of what is silent the time at which it was last heard, not that at which this was found out. */
import type { Client, Device } from "@porchlight/shared/api";

/**
 * @param hub the connection of the device's hub; undefined while it is not known
 * @returns undefined while that is not known: of a silent hub nothing was answered yet, or it was heard when it was asked about last
 */
export function awaySince(
  { state, since }: Pick<NonNullable<Device["connection"]>, "state" | "since">,
  hub: Client["connection"] | undefined,
): string | undefined {
  if (state !== "unknown") return since;
  // The device's own time is when it was found out, which is later than when the hub fell silent.
  return hub === undefined || hub.state === "online" ? undefined : (hub.lastSeenAt ?? since);
}

/** Whether the hub has ever connected. Its agent is known from then on; when it was last heard is not, if the service died with the connection. */
export function hasConnected({
  state,
  agentVersion,
  lastSeenAt,
}: Pick<Client["connection"], "state" | "agentVersion" | "lastSeenAt">): boolean {
  return state === "online" || agentVersion !== undefined || lastSeenAt !== undefined;
}
