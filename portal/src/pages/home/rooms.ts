/** Groups a home into rooms: the devices of each room, its climate, and the home's problems. Pure. */
import type { Device, ServiceDescriptor, Zone } from "@porchlight/shared/api";
import { LOW_BATTERY_PERCENT } from "@porchlight/shared/presentation";
import type { ServicesByDevice } from "../../data/services.ts";
import { nameOf } from "../../kit/text/names.ts";

export interface Room {
  /** Undefined for devices without a zone. */
  readonly zone: Zone | undefined;
  readonly devices: readonly Device[];
}

/** Zones with their direct devices, by name; zones without devices are left out, and devices without a zone come last. */
export function roomsOf(zones: readonly Zone[], devices: readonly Device[]): readonly Room[] {
  const byId = new Map(devices.map((device) => [device.id, device]));
  const placed = new Set<string>();
  const rooms = zones.flatMap((zone): Room[] => {
    const inside = (zone.items ?? []).flatMap((id) => byId.get(id) ?? []);
    for (const { id } of inside) placed.add(id);
    return inside.length === 0 ? [] : [{ zone, devices: byName(inside) }];
  });
  const free = devices.filter(({ id }) => !placed.has(id));
  rooms.sort((one, other) => compareNames(one.zone, other.zone));
  return free.length === 0 ? rooms : [...rooms, { zone: undefined, devices: byName(free) }];
}

function byName(devices: readonly Device[]): readonly Device[] {
  return devices.toSorted(compareNames);
}

const COLLATOR = new Intl.Collator(undefined, { numeric: true });

function compareNames(one: Device | Zone | undefined, other: Device | Zone | undefined): number {
  return COLLATOR.compare(one ? nameOf(one) : "", other ? nameOf(other) : "");
}

/** A problem of the home that the user should know. */
export type Concern =
  | { readonly kind: "away"; readonly device: Device }
  | { readonly kind: "battery"; readonly device: Device; readonly percent: number | undefined }
  | { readonly kind: "danger"; readonly device: Device; readonly service: string };

const DANGERS: ReadonlySet<string> = new Set(["Smoke", "CarbonMonoxide", "WaterLeak"]);

/**
 * Dangers first, then unreachable devices, then batteries. The values of an unreachable device are outdated, so they raise no further
 * problem.
 */
export function concernsOf(devices: readonly Device[], services: ServicesByDevice | undefined): readonly Concern[] {
  const isAway = ({ connection }: Device) => connection !== undefined && connection.state !== "online";
  const there = devices.filter((device) => !isAway(device));
  const of = (device: Device) => services?.get(device.id)?.items ?? [];
  return [
    ...there.flatMap((device) =>
      dangersOf(of(device)).map((service): Concern => ({ kind: "danger", device, service })),
    ),
    ...devices.filter(isAway).map((device): Concern => ({ kind: "away", device })),
    ...there.flatMap((device): Concern[] => {
      const low = lowBatteryOf(of(device));
      return low ? [{ kind: "battery", device, ...low }] : [];
    }),
  ];
}

function dangersOf(services: readonly ServiceDescriptor[]): readonly string[] {
  return services
    .filter(({ service, properties }) => DANGERS.has(service) && properties.some(isDetected))
    .map(({ service }) => service);
}

function isDetected({ property, value }: ServiceDescriptor["properties"][number]): boolean {
  return property === "detected" && value === true;
}

/** A device without a `low` property counts as low by its percentage. */
function lowBatteryOf(services: readonly ServiceDescriptor[]): { readonly percent: number | undefined } | undefined {
  const battery = services.find(({ service }) => service === "Battery");
  const value = (name: string) => battery?.properties.find(({ property }) => property === name)?.value;
  const [low, level] = [value("low"), value("percent")];
  const percent = typeof level === "number" ? level : undefined;
  const isLow = low === true || (typeof low !== "boolean" && percent !== undefined && percent <= LOW_BATTERY_PERCENT);
  return isLow ? { percent } : undefined;
}

/** The measured values of a room, as a range when several devices measure them. */
interface Climate {
  readonly temperature: readonly [least: number, most: number] | undefined;
  readonly humidity: readonly [least: number, most: number] | undefined;
}

/** Uses reachable devices only: the last value of an unreachable device is outdated. */
export function climateOf(devices: readonly Device[], services: ServicesByDevice | undefined): Climate {
  const measured = (service: string, property: string) => {
    const values = devices
      .filter(({ type, connection }) => type === "virtual" || connection?.state === "online")
      .flatMap(({ id }) => services?.get(id)?.items ?? [])
      .filter((each) => each.service === service)
      .flatMap(({ properties }) => properties.find((each) => each.property === property)?.value ?? [])
      .filter((value) => typeof value === "number");
    return values.length === 0 ? undefined : ([Math.min(...values), Math.max(...values)] as const);
  };
  return { temperature: measured("Temperature", "celsius"), humidity: measured("Humidity", "percent") };
}
