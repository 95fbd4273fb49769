/** Since when something is as it is, for every page alike: of what is silent the time at which it was last heard, not that at which this was found out. */
import type { Client, Device } from "@porchlight/shared/api";

/**
 * @param hub the connection of the device's hub; undefined while it is not known
 * @returns undefined where the two answers are not of one time: the hub is heard, or was when it was asked about last
 */
export function awaySince(
  { state, since }: Pick<NonNullable<Device["connection"]>, "state" | "since">,
  hub: Client["connection"] | undefined,
): string | undefined {
  if (state !== "unknown") return since;
  return hub?.state === "online" ? undefined : (hub?.lastSeenAt ?? since);
}
