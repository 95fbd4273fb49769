/** Gives the properties of a device's entities their addresses, which are theirs for good. */
import type { PlacedThing, Thing } from "@porchlight/driver-kit";
import type { PropertyAddress } from "@porchlight/shared/model";
import type { ThingAddresses } from "../../device/kept-things.ts";
import type { LastHeard, MqttDevice, MqttProperty } from "../../device/mqtt-device.ts";
import { type KnownPart, type Part, READINGS, SETTINGS } from "../entities/parts.ts";
import { type EntityName, entityKeys } from "./entity-keys.ts";

const DIALECT = "homeAssistant";
const MOST_SERVICES = 64;

/** The parts of an entity, or of a button of several triggers. */
export interface NamedParts {
  readonly name: EntityName;
  readonly parts: readonly Part[];
}

export interface AddressedParts {
  readonly properties: readonly MqttProperty[];
  readonly keepAddresses: () => void;
  /** Properties beyond 64 services of 64. */
  readonly tooMany: number;
}

interface PartsThing extends Thing {
  /** In the order of the thing's properties. */
  readonly parts: readonly Part[];
  readonly entity: NamedParts;
}

/**
 * Properties of one entity and class share an index. Those of `Settings` and `Readings` are called after their entity, and keep the name
 * that they had first.
 */
export function addressParts(
  device: Pick<MqttDevice, "edgeId" | "identity">,
  entities: readonly NamedParts[],
  addresses: ThingAddresses,
): AddressedParts {
  const keys = keysOf(device, entities, addresses);
  const things = entities.flatMap((entity, at) => thingsOf(entity, keys[at] ?? ""));
  const { placed, keep } = addresses.place(DIALECT, device, things);
  const known = knownOf(placed);
  const all = placed.flatMap(({ thing: { parts, entity }, addresses: given }) =>
    parts.flatMap((part, at) => {
      const address = given[at];
      return address ? [propertyOf(part, address, known.get(entity) ?? new Map())] : [];
    }),
  );
  const serviceOf = ({ address: { service, index } }: MqttProperty) => `${service}:${index}`;
  const kept = new Set([...new Set(all.map(serviceOf))].slice(0, MOST_SERVICES));
  const properties = all.filter((property) => kept.has(serviceOf(property)));
  const tooMany = entities.reduce((sum, { parts }) => sum + parts.length, 0) - properties.length;
  return { properties, keepAddresses: keep, tooMany };
}

/** The keys of the entities; what is kept under an earlier key of one is moved. */
function keysOf(
  device: Pick<MqttDevice, "edgeId" | "identity">,
  entities: readonly NamedParts[],
  addresses: ThingAddresses,
): readonly string[] {
  const ids = addresses.idsOf(DIALECT, device);
  const names = entities.map(({ name }) => name);
  const { keys, renamed } = entityKeys(names, new Set(ids.map((id) => id.slice(0, id.indexOf(" ")))));
  for (const [from, to] of renamed) {
    for (const id of ids)
      if (id.startsWith(`${from} `)) addresses.rename(DIALECT, device, id, `${to}${id.slice(from.length)}`);
  }
  return keys;
}

/** One for each class and role: an entity can have several buttons, and each setting has a name of its own. */
function thingsOf(entity: NamedParts, key: string): PartsThing[] {
  const groups = new Map<string, Part[]>();
  for (const part of entity.parts) {
    const id = `${key} ${part.service} ${part.role ?? ""}`.trimEnd();
    groups.set(id, [...(groups.get(id) ?? []), part]);
  }
  return [...groups].map(([id, parts]) => ({
    ...{ id, parts, entity },
    apart: parts.some(isOfOwnName) ? "name" : "index",
    properties: parts.map(({ service, description: { property } }) => ({ service, property })),
  }));
}

function isOfOwnName({ service }: Part): boolean {
  return service === SETTINGS || service === READINGS;
}

type KnownAddresses = ReadonlyMap<string, PropertyAddress>;

/** Where the properties of each entity are found, by the names that its component has for them. */
function knownOf(placed: readonly PlacedThing<PartsThing>[]): ReadonlyMap<NamedParts, KnownAddresses> {
  const known = new Map<NamedParts, Map<string, PropertyAddress>>();
  for (const { thing, addresses } of placed) {
    const ofEntity = known.get(thing.entity) ?? new Map<string, PropertyAddress>();
    known.set(thing.entity, ofEntity);
    for (const [at, { service, description }] of thing.parts.entries()) {
      const address = addresses[at];
      if (address) ofEntity.set(`${service}.${description.property}`, address);
    }
  }
  return known;
}

function propertyOf(part: Part, address: PropertyAddress, addresses: KnownAddresses): MqttProperty {
  const { set, state, tolerance } = part;
  const ofEntity =
    (known: LastHeard): KnownPart =>
    (service, name) => {
      const at = addresses.get(`${service}.${name}`);
      return at && known(at);
    };
  return {
    address,
    description: { ...part.description, property: address.property },
    ...(state ? { state: { ...state, read: (payload, known) => state.read(payload, known && ofEntity(known)) } } : {}),
    ...(set ? { set: (value, known) => set(value, ofEntity(known)) } : {}),
    ...(tolerance === undefined ? {} : { tolerance }),
  };
}
