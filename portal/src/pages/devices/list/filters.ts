/** What a list of devices is narrowed by, as it stands in the address. */
import type { Device, Zone } from "@porchlight/shared/api";

export interface DeviceFilters {
  readonly zone?: string | undefined;
  readonly type?: Device["type"] | undefined;
  readonly state?: "online" | "offline" | "unknown" | undefined;
}

const TYPES = ["physical", "virtual"] as const;
const STATES = ["online", "offline", "unknown"] as const;

/** What of an address is a filter; the rest is left out. */
export function deviceFilters(search: Readonly<Record<string, unknown>>): DeviceFilters {
  return {
    zone: typeof search.zone === "string" ? search.zone : undefined,
    type: TYPES.find((each) => each === search.type),
    state: STATES.find((each) => each === search.state),
  };
}

/** Devices that pass all filters. A virtual device lives in the service, and is online as long as that is. */
export function filtered(devices: readonly Device[], { zone, type, state }: DeviceFilters, zones: readonly Zone[]) {
  const within = zone === undefined ? undefined : contentsOf(zone, zones);
  return devices.filter(
    (device) =>
      (within === undefined || within.has(device.id)) &&
      (type === undefined || device.type === type) &&
      (state === undefined || (device.connection?.state ?? "online") === state),
  );
}

/** IDs of everything in a zone and the zones in it. */
export function contentsOf(zoneId: string, zones: readonly Zone[]): ReadonlySet<string> {
  const byId = new Map(zones.map((zone) => [zone.id, zone]));
  const found = new Set<string>();
  const look = (id: string) => {
    for (const item of byId.get(id)?.items ?? []) {
      if (found.has(item)) continue;
      found.add(item);
      look(item);
    }
  };
  look(zoneId);
  return found;
}

/** The zones that a device stands directly in. */
export function zonesOf(deviceId: string, zones: readonly Zone[]): readonly Zone[] {
  return zones.filter(({ items }) => items?.includes(deviceId));
}
