/** Describes a device to the hub, from its own information and its entities, each type by a function of its own. Pure. */
import { type DeviceAddresses, edgeIdOfEui, type Thing } from "@porchlight/driver-kit";
import { deriveObjectId } from "esphome-client";
import type { EspHomeEntity, EspHomeInfo } from "../wire/messages.ts";
import { describeClimate } from "./climates.ts";
import { describeCover } from "./covers.ts";
import {
  type EntityComponent,
  type EntityPart,
  type EspHomeDescription,
  type EspHomeProperty,
  entityKey,
  textTrait,
} from "./esphome-property.ts";
import { describeFan } from "./fans.ts";
import { describeLight } from "./lights.ts";
import {
  describeButton,
  describeLock,
  describeNumber,
  describeSelect,
  describeSiren,
  describeSwitch,
  describeText,
  describeValve,
} from "./outputs.ts";
import { alarmPanel, mediaPlayer } from "./players.ts";
import { describeBinarySensor, describeEvent, describeSensor, describeTextSensor } from "./sensors.ts";

/** Limits of a description (device protocol, D6). */
const MOST_SERVICES = 64;
const MOST_PROPERTIES = 64;

/** An entity and its described properties, which share one index. */
interface EntityThing extends Thing {
  readonly entity: EspHomeEntity;
  readonly parts: readonly EntityPart[];
}

/** @param place assigns each entity its stored address, independent of the order in which the firmware lists them */
export function describeEspHome(
  info: EspHomeInfo,
  entities: readonly EspHomeEntity[],
  place: DeviceAddresses["place"],
): EspHomeDescription {
  const leftAside: Record<string, number> = {};
  const count = (what: string) => {
    leftAside[what] = (leftAside[what] ?? 0) + 1;
  };
  const single = new Map(entities.map((entity) => [entityKey(entity), withObjectId(entity, info)]));
  const things = [...single.values()].flatMap((entity) => thingOf(entity, partsOf(entity, count)));
  const edgeId = edgeIdOfEui(info.mac) ?? "";
  const bounded = new BoundedProperties(count);
  for (const { thing, addresses } of place(edgeId, things))
    for (const [at, part] of thing.parts.entries()) {
      const address = addresses[at];
      if (address) bounded.add({ ...part, entity: thing.entity, address });
    }
  return {
    edgeId,
    about: aboutEspHome(info),
    properties: bounded.properties,
    isSensitive: entities.some(isSensitive),
    sleeps: info.hasDeepSleep,
    leftAside,
  };
}

function thingOf(entity: EspHomeEntity, parts: readonly EntityPart[]): EntityThing[] {
  if (parts.length === 0) return [];
  const properties = parts.map(({ service, description }) => ({ service, property: description.property }));
  return [{ id: `${entity.type} ${entity.deviceId} ${entity.objectId}`, entity, parts, properties }];
}

/** Gives an entity without a name the object ID of its part or of the device, which older firmware sends itself. */
function withObjectId(entity: EspHomeEntity, { parts, friendlyName, name }: EspHomeInfo): EspHomeEntity {
  if (entity.objectId !== "") return entity;
  return { ...entity, objectId: deriveObjectId(parts.get(entity.deviceId) || friendlyName || name) };
}

function partsOf(entity: EspHomeEntity, count: (what: string) => void): readonly EntityPart[] {
  const described = ENTITY_COMPONENTS.get(entity.type)?.(entity);
  if (!described || described.isPartial || described.parts.length === 0) count(entity.type);
  return described?.parts ?? [];
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

/** Collects properties within the limits of a description. */
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

/** Not described: cameras, dates and times, updates, water heaters, infrared. */
const ENTITY_COMPONENTS: ReadonlyMap<string, EntityComponent> = new Map([
  ["alarm_control_panel", alarmPanel],
  ["binary_sensor", describeBinarySensor],
  ["button", describeButton],
  ["climate", describeClimate],
  ["cover", describeCover],
  ["event", describeEvent],
  ["fan", describeFan],
  ["light", describeLight],
  ["lock", describeLock],
  ["media_player", mediaPlayer],
  ["number", describeNumber],
  ["select", describeSelect],
  ["sensor", describeSensor],
  ["siren", describeSiren],
  ["switch", describeSwitch],
  ["text", describeText],
  ["text_sensor", describeTextSensor],
  ["valve", describeValve],
]);

/** Covers that can admit intruders or injure people. */
const SENSITIVE_COVERS: ReadonlySet<string> = new Set(["door", "garage", "gate"]);

/** Locks and valves are sensitive by their standard class. */
function isSensitive(entity: EspHomeEntity): boolean {
  if (entity.type === "siren" || entity.type === "alarm_control_panel") return true;
  return entity.type === "cover" && SENSITIVE_COVERS.has(textTrait(entity, "deviceClass"));
}
