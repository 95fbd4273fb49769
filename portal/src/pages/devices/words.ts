/** How old what a device told is, in words. */
import type { Device, ServiceDescriptor } from "@porchlight/shared/api";

/** The latest of these times of the service, which are ordered as text is; undefined when there is none. */
export function latestOf(times: readonly (string | undefined)[]): string | undefined {
  return times.reduce(
    (one, other) => (one === undefined || (other !== undefined && other > one) ? other : one),
    undefined,
  );
}

/** The device as the service would answer it now: whatever the page shows as confirmed proves that the device was heard then. */
export function heard(device: Device, services: readonly ServiceDescriptor[]): Device {
  const { connection } = device;
  if (!connection) return device;
  const observed = services.flatMap(({ properties }) => properties.map(({ observedAt }) => observedAt));
  const lastSeenAt = latestOf([connection.lastSeenAt, ...observed]);
  return lastSeenAt === connection.lastSeenAt ? device : { ...device, connection: { ...connection, lastSeenAt } };
}

/** After so long a value is shown with its age, ms. */
const FRESH = 60_000;

/** Whether what was observed so long ago still counts as fresh. @param ms may be negative: clocks differ */
export function isFresh(ms: number): boolean {
  return ms < FRESH;
}
