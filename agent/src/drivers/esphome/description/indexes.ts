/**
 * Which index the properties of an entity have. An entity keeps the index that it was first given, by its type and name, in whatever order
 * the firmware lists its entities: what an automation has named stays the same thing after an update. Pure.
 */
import type { EspHomeEntity } from "../wire/messages.ts";
import type { EntityPart } from "./esphome-property.ts";

/** Indexes by what identifies an entity. */
export type Indexes = Readonly<Record<string, number>>;

export interface PlacedEntity {
  readonly entity: EspHomeEntity;
  readonly parts: readonly EntityPart[];
  readonly index: number;
}

/** Highest index of a service. */
const HIGHEST = 999;

function indexIdentity({ type, deviceId, objectId }: EspHomeEntity): string {
  return `${type} ${deviceId} ${objectId}`;
}

/** @param kept as they were first given. Gives all that are to be kept from now on */
export function placed(
  described: readonly Omit<PlacedEntity, "index">[],
  kept: Indexes,
): { readonly entities: readonly PlacedEntity[]; readonly indexes: Indexes } {
  const taken = new Set<string>();
  const isFree = (parts: readonly EntityPart[], index: number) =>
    parts.every((part) => !taken.has(addressOf(part, index)));
  const take = (parts: readonly EntityPart[], index: number) => {
    for (const part of parts) taken.add(addressOf(part, index));
    return index;
  };
  const indexes = new Map<EspHomeEntity, number>();
  for (const { entity, parts } of described) {
    const index = keptIndex(kept, entity);
    if (index !== undefined && isFree(parts, index)) indexes.set(entity, take(parts, index));
  }
  const absent = reservedFor(described, kept);
  for (const { entity, parts } of described) {
    if (indexes.has(entity)) continue;
    let index = 0;
    while (index < HIGHEST && !(isFree(parts, index) && !absent.has(`${entity.type} ${index}`))) index += 1;
    if (isFree(parts, index)) indexes.set(entity, take(parts, index));
  }
  const entities = described.flatMap((each) => {
    const index = indexes.get(each.entity);
    return index === undefined ? [] : [{ ...each, index }];
  });
  const now = entities.map(({ entity, index }) => [indexIdentity(entity), index] as const);
  return { entities, indexes: { ...kept, ...Object.fromEntries(now) } };
}

function keptIndex(kept: Indexes, entity: EspHomeEntity): number | undefined {
  const identity = indexIdentity(entity);
  return Object.hasOwn(kept, identity) ? kept[identity] : undefined;
}

/** Indexes of entities of the same type that the device does not have at present: they may come back. */
function reservedFor(described: readonly Pick<PlacedEntity, "entity">[], kept: Indexes): ReadonlySet<string> {
  const present = new Set(described.map(({ entity }) => indexIdentity(entity)));
  const absent = Object.entries(kept).filter(([identity]) => !present.has(identity));
  return new Set(absent.map(([identity, index]) => `${identity.split(" ")[0]} ${index}`));
}

function addressOf({ service, description }: EntityPart, index: number): string {
  return `${service}:${index}.${description.property}`;
}
