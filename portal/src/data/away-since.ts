/** Since when something is as it is, for every page alike: of what is silent the time at which it was last heard, not that at which this was found out. */
import type { Client, Device } from "@porchlight/shared/api";

/** @param hub the connection of the device's hub; undefined while it is not known */
export function awaySince(
  { state, since }: Pick<NonNullable<Device["connection"]>, "state" | "since">,
  hub: Client["connection"] | undefined,
): string {
  return state === "unknown" ? (hub?.lastSeenAt ?? since) : since;
}
