/** Determines the age of device data. */
import type { Device, ServiceDescriptor } from "@porchlight/shared/api";

/** The latest of several service times, which sort as text; undefined when there is none. */
export function latestOf(times: readonly (string | undefined)[]): string | undefined {
  return times.reduce(
    (one, other) => (one === undefined || (other !== undefined && other > one) ? other : one),
    undefined,
  );
}

/** Updates the device's last contact from its services: a confirmed value proves that the device was reachable at that time. */
export function heard(device: Device, services: readonly ServiceDescriptor[]): Device {
  const { connection } = device;
  if (!connection) return device;
  const observed = services.flatMap(({ properties }) => properties.map(({ observedAt }) => observedAt));
  const lastSeenAt = latestOf([connection.lastSeenAt, ...observed]);
  return lastSeenAt === connection.lastSeenAt ? device : { ...device, connection: { ...connection, lastSeenAt } };
}

/** Age from which a value is shown with its age, in ms. */
const FRESH = 60_000;

/** Whether a value of this age counts as fresh. @param ms negative when the clocks differ */
export function isFresh(ms: number): boolean {
  return ms < FRESH;
}
