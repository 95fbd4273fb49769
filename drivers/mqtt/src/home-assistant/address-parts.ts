/** Assigns permanent addresses to the properties of a device's entities. */
import { createHash } from "node:crypto";
import type { PlacedThing, Thing } from "@porchlight/driver-kit";
import type { PropertyAddress } from "@porchlight/shared/model";
import type { ThingAddresses } from "../device/kept-things.ts";
import type { LastHeard, MqttDevice, MqttProperty } from "../device/mqtt-device.ts";
import type { DescribedEntity } from "./discovery-payload.ts";
import { type KnownPart, type Part, READINGS, SETTINGS } from "./entity-parts.ts";

const DIALECT = "homeAssistant";
const MOST_SERVICES = 64;

/** The parts of an entity, or of a button that several triggers describe. */
export interface NamedParts {
  readonly name: EntityName;
  readonly parts: readonly Part[];
}

export interface AddressedParts {
  readonly properties: readonly MqttProperty[];
  readonly keepAddresses: () => void;
  /** Number of properties beyond 64 services of 64. */
  readonly tooMany: number;
}

interface PartsThing extends Thing {
  /** In the order of the thing's properties. */
  readonly parts: readonly Part[];
  readonly entity: NamedParts;
}

/**
 * Properties of one entity and class share an index. Those of `Settings` and `Readings` are named after their entity, and keep their
 * first names.
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

/** The keys of the entities; addresses under an earlier key of an entity are moved. */
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

/** One thing for each class and role: an entity can have several buttons, and each setting has its own name. */
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

/** The addresses of each entity's properties, by the names that its component uses. */
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

/**
 * Identifies the entities of a device, also when their messages come on other topics: the keys under which addresses are stored. Pure.
 *
 * An entity is identified by its `unique_id`. Several entities of a device can share it, so that the topic of the description belongs to
 * the key as well. An entity on a new topic is the one that disappeared from another topic if no third one has had their `unique_id`.
 */
export interface EntityName {
  /** The device's own ID of the entity; undefined when there is none. */
  readonly own: string | undefined;
  /** The topic of its description. */
  readonly at: string;
}

interface EntityKeys {
  /** In the order of the names. */
  readonly keys: readonly string[];
  /** Stored keys of entities that now have another key, with the new key. */
  readonly renamed: ReadonlyMap<string, string>;
}

/** Stands for the `unique_id` in the key of an entity without one. */
const NONE = "-";

export function nameOfEntity({ component, options, id }: DescribedEntity): EntityName {
  const unique = options.get("unique_id");
  const isStated = (typeof unique === "string" && unique !== "") || typeof unique === "number";
  return { own: isStated ? `${component} ${unique}` : undefined, at: id };
}

/** @param kept the keys that the device's entities have had */
function entityKeys(names: readonly EntityName[], kept: ReadonlySet<string>): EntityKeys {
  const keys = names.map(keyOf);
  const present = new Set(keys);
  const fresh = names.filter((_, at) => !kept.has(keys[at] ?? ""));
  const renamed = new Map<string, string>();
  for (const name of fresh) {
    const before = name.own === undefined ? undefined : (earlierKey(name, kept) ?? keyOf({ ...name, own: undefined }));
    const isAlone = fresh.filter(({ own }) => own === name.own).length === 1;
    if (isAlone && before !== undefined && kept.has(before) && !present.has(before)) renamed.set(before, keyOf(name));
  }
  return { keys, renamed };
}

/** The stored key of the only entity that has had that `unique_id`. */
function earlierKey({ own }: EntityName, kept: ReadonlySet<string>): string | undefined {
  const ofOwn = [...kept].filter((key) => key.startsWith(`${ownPart(own)}.`));
  return ofOwn.length === 1 ? ofOwn[0] : undefined;
}

/** A short key, for IDs of any length: a driver's store is small. */
function keyOf({ own, at }: EntityName): string {
  return `${ownPart(own)}.${digest(at)}`;
}

function ownPart(own: string | undefined): string {
  return own === undefined ? NONE : digest(own);
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 11);
}
