/** Gives the properties of a device's entities their addresses: indexes, and names that no other property of its service has. */
import type { PropertyAddress } from "@porchlight/shared/model";
import type { MqttProperty } from "../../device/mqtt-device.ts";
import { type KnownPart, type Part, READINGS, SETTINGS } from "../entities/parts.ts";
import { uniqueName } from "../entities/property-names.ts";

const MOST_SERVICES = 64;
const MOST_PROPERTIES = 64;

interface Placed {
  readonly part: Part;
  readonly index: number;
  readonly property: string;
}

export interface AddressedParts {
  readonly properties: readonly MqttProperty[];
  /** Properties beyond 64 services of 64. */
  readonly tooMany: number;
}

/**
 * Properties of one entity and class share an index: the lowest that none of them has taken. So the first of a class is 0, the next 1.
 * @param entities the parts of each, in the order of the entities
 */
export function addressParts(entities: readonly (readonly Part[])[]): AddressedParts {
  const taken = new Map<string, Set<string>>();
  const placed = entities.map((parts) => placeEntity(parts, taken));
  const all = placed.flatMap((parts) => {
    const known = knownOf(parts);
    return parts.map((each) => ({ service: `${each.part.service}:${each.index}`, property: propertyOf(each, known) }));
  });
  const services = new Set(all.map(({ service }) => service));
  const kept = new Set([...services].slice(0, MOST_SERVICES));
  const properties = all.filter(({ service }) => kept.has(service)).map(({ property }) => property);
  return { properties, tooMany: all.length - properties.length };
}

function placeEntity(parts: readonly Part[], taken: Map<string, Set<string>>): Placed[] {
  const classes = new Map<string, Part[]>();
  for (const part of parts) classes.set(part.service, [...(classes.get(part.service) ?? []), part]);
  return [...classes].flatMap(([service, ofClass]) =>
    service === SETTINGS || service === READINGS
      ? ofClass.map((part) => placeCustom(part, taken))
      : placeStandard(service, ofClass, taken),
  );
}

/** One entity can have several buttons: properties of one name are several services. */
function placeStandard(service: string, parts: readonly Part[], taken: Map<string, Set<string>>): Placed[] {
  const names = parts.map(({ description }) => description.property);
  if (new Set(names).size < names.length) return parts.flatMap((part) => placeStandard(service, [part], taken));
  for (let index = 0; ; index += 1) {
    const used = usedBy(taken, service, index);
    if (names.some((name) => used.has(name))) continue;
    for (const name of names) used.add(name);
    return parts.map((part) => ({ part, index, property: part.description.property }));
  }
}

/** Names stay apart over all indexes, so that the same name stands twice nowhere. */
function placeCustom(part: Part, taken: Map<string, Set<string>>): Placed {
  const { service, description } = part;
  const names = usedBy(taken, service, "names");
  const property = uniqueName(description.property, names);
  names.add(property);
  return { part, index: Math.floor((names.size - 1) / MOST_PROPERTIES), property };
}

function usedBy(taken: Map<string, Set<string>>, service: string, index: number | "names"): Set<string> {
  const key = `${service}:${index}`;
  const used = taken.get(key) ?? new Set<string>();
  taken.set(key, used);
  return used;
}

/** Where the properties of an entity are found, by the names that its component has for them. */
function knownOf(parts: readonly Placed[]): ReadonlyMap<string, PropertyAddress> {
  return new Map(parts.map((each) => [`${each.part.service}.${each.part.description.property}`, addressOf(each)]));
}

function addressOf({ part: { service }, index, property }: Placed): PropertyAddress {
  return { service, index: String(index), property };
}

function propertyOf(placed: Placed, addresses: ReadonlyMap<string, PropertyAddress>): MqttProperty {
  const { part, property } = placed;
  const { set, state, tolerance } = part;
  return {
    address: addressOf(placed),
    description: { ...part.description, property },
    ...(state ? { state } : {}),
    ...(set
      ? {
          set: (value, known) => {
            const ofEntity: KnownPart = (service, name) => {
              const address = addresses.get(`${service}.${name}`);
              return address && known(address);
            };
            return set(value, ofEntity);
          },
        }
      : {}),
    ...(tolerance === undefined ? {} : { tolerance }),
  };
}
