/** The filters and the sort order of a device list, as stored in the address. Pure. */
import type { Device, Zone } from "@porchlight/shared/api";
import type { ServicesByDevice } from "../../data/services.ts";
import { type Capability, capabilitiesOf, isCapability } from "../../devices/capability.ts";

export interface DeviceFilters {
  /** A part of a name, alias, model or ID. */
  readonly text?: string | undefined;
  readonly capability?: Capability | undefined;
  readonly zone?: string | undefined;
  readonly hub?: string | undefined;
  readonly type?: Device["type"] | undefined;
  readonly state?: "online" | "offline" | "unknown" | undefined;
  /** Column name in lower case; a leading `-` reverses the order. */
  readonly sort?: string | undefined;
}

const TYPES = ["physical", "virtual"] as const;
const STATES = ["online", "offline", "unknown"] as const;

/** Reads the filters from an address and ignores other parameters. */
export function deviceFilters(search: Readonly<Record<string, unknown>>): DeviceFilters {
  const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);
  return {
    // A text of digits is parsed as a number.
    text: typeof search.text === "number" ? String(search.text) : text(search.text),
    capability: isCapability(search.capability) ? search.capability : undefined,
    zone: text(search.zone),
    hub: text(search.hub),
    type: TYPES.find((each) => each === search.type),
    state: STATES.find((each) => each === search.state),
    sort: text(search.sort),
  };
}

/** Devices that match all filters. A virtual device exists in the service and counts as online. */
export function filtered(
  devices: readonly Device[],
  { capability, zone, hub, type, state }: DeviceFilters,
  { zones, services }: { readonly zones: readonly Zone[]; readonly services: ServicesByDevice | undefined },
): readonly Device[] {
  const within = zone === undefined ? undefined : contentsOf(zone, zones);
  const can = (id: string) => capabilitiesOf(services?.get(id)?.items ?? []);
  return devices.filter(
    (device) =>
      (within === undefined || within.has(device.id)) &&
      (hub === undefined || device.clientId === hub) &&
      (type === undefined || device.type === type) &&
      (state === undefined || (device.connection?.state ?? "online") === state) &&
      (capability === undefined || can(device.id).includes(capability)),
  );
}

/** The capabilities that occur among the devices, in their order. */
export function capabilitiesAmong(services: ServicesByDevice | undefined): readonly Capability[] {
  const found = new Set([...(services?.values() ?? [])].flatMap(({ items }) => capabilitiesOf(items)));
  return [...found].toSorted();
}

/** IDs of everything in a zone, including its inner zones. */
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

/** The zones that directly contain a device. */
export function zonesOf(deviceId: string, zones: readonly Zone[]): readonly Zone[] {
  return zones.filter(({ items }) => items?.includes(deviceId));
}
