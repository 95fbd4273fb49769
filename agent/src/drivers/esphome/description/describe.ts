/** A device as the hub has it, made of what it says of itself and of its entities. Pure. */
import { deriveObjectId } from "esphome-client";
import { edgeIdOfEui } from "../../kit/index.ts";
import type { EspHomeEntity, EspHomeInfo } from "../wire/messages.ts";
import { ENTITY_COMPONENTS, isSensitive } from "./components/index.ts";
import { type EntityPart, type EspHomeDescription, type EspHomeProperty, entityKey } from "./esphome-property.ts";
import { type Indexes, placed } from "./indexes.ts";

/** Bounds of a description (device protocol, D6). */
const MOST_SERVICES = 64;
const MOST_PROPERTIES = 64;

/** @param kept indexes that entities of this device were given before. Gives those that are to be kept from now on */
export function describeEspHome(
  info: EspHomeInfo,
  entities: readonly EspHomeEntity[],
  kept: Indexes,
): { readonly description: EspHomeDescription; readonly indexes: Indexes } {
  const leftAside: Record<string, number> = {};
  const count = (what: string) => {
    leftAside[what] = (leftAside[what] ?? 0) + 1;
  };
  const single = new Map(entities.map((entity) => [entityKey(entity), withObjectId(entity, info)]));
  const described = [...single.values()].map((entity) => ({ entity, parts: partsOf(entity, count) }));
  const { entities: found, indexes } = placed(described, kept);
  const bounded = new BoundedProperties(count);
  for (const { entity, parts, index } of found) for (const part of parts) bounded.add(propertyOf(entity, part, index));
  const description = {
    edgeId: edgeIdOfEui(info.mac) ?? "",
    about: aboutEspHome(info),
    properties: bounded.properties,
    isSensitive: entities.some(isSensitive),
    sleeps: info.hasDeepSleep,
    leftAside,
  };
  return { description, indexes };
}

/** An entity without a name of its own has that of the device, or of its part: so older firmware says it, which says it by itself. */
function withObjectId(entity: EspHomeEntity, { parts, friendlyName, name }: EspHomeInfo): EspHomeEntity {
  if (entity.objectId !== "") return entity;
  return { ...entity, objectId: deriveObjectId(parts.get(entity.deviceId) || friendlyName || name) };
}

function partsOf(entity: EspHomeEntity, count: (what: string) => void): readonly EntityPart[] {
  const described = ENTITY_COMPONENTS.get(entity.type)?.(entity);
  if (!described || described.isPartial || described.parts.length === 0) count(entity.type);
  return described?.parts ?? [];
}

function propertyOf(entity: EspHomeEntity, { service, ...part }: EntityPart, index: number): EspHomeProperty {
  return { ...part, entity, address: { service, index: String(index), property: part.description.property } };
}

export function aboutEspHome(info: EspHomeInfo) {
  const { projectName, projectVersion, manufacturer, model, friendlyName, name, version } = info;
  const [maker, project] = projectName.includes(".") ? projectName.split(".", 2) : [];
  const known = (text: string | undefined, otherwise?: string) =>
    text === undefined || text === "" ? otherwise : text;
  return {
    manufacturer: known(maker, known(manufacturer, "ESPHome")),
    model: known(project, known(model)),
    firmware: known(projectVersion) === undefined ? known(version) : `${projectVersion} (ESPHome ${version})`,
    serial: known(name),
    name: known(friendlyName, known(name)),
  };
}

/** Properties within the bounds of a description. */
class BoundedProperties {
  readonly properties: EspHomeProperty[] = [];
  readonly #sizes = new Map<string, number>();
  readonly #count: (what: string) => void;

  constructor(count: (what: string) => void) {
    this.#count = count;
  }

  add(property: EspHomeProperty): void {
    const { service, index } = property.address;
    const instance = `${service}:${index}`;
    const size = this.#sizes.get(instance) ?? 0;
    if (size === MOST_PROPERTIES || (size === 0 && this.#sizes.size === MOST_SERVICES)) {
      this.#count("tooMany");
      return;
    }
    this.#sizes.set(instance, size + 1);
    this.properties.push(property);
  }
}
