/** The discovery messages of a device: one retained message for each entity, as the programs understand that read Home Assistant's discovery. */
import { OWN_ORIGIN } from "@porchlight/driver-mqtt/broker";
import type { PropertyAddress } from "@porchlight/shared/model";
import { AGENT_VERSION } from "../../config/index.ts";
import { configTopic, deviceAvailabilityTopic, discoveryId, hubAvailabilityTopic } from "../messages/topics.ts";

export interface ConfiguredDevice {
  readonly hub: string;
  readonly edgeId: string;
  readonly name: string;
  /** What the device says of itself. */
  readonly about: Readonly<Record<string, string>>;
}

const ORIGIN = { name: OWN_ORIGIN, sw_version: AGENT_VERSION };
/** The hub's one entity. */
const CONNECTION = "connection";

/** The messages by their topics. */
export function discoveryConfigs(
  prefix: string,
  device: ConfiguredDevice,
  entities: readonly Entity[],
): ReadonlyMap<string, string> {
  const { hub, edgeId } = device;
  const block = deviceBlock(device);
  const mains = entities.filter(({ isMain }) => isMain).length;
  const availability = [{ topic: hubAvailabilityTopic(hub) }, { topic: deviceAvailabilityTopic(hub, edgeId) }];
  return new Map(
    entities.map(({ component, object, name, isMain, options }) => [
      configTopic(prefix, component, edgeId, object),
      JSON.stringify({
        // The only one of its kind is the device itself.
        name: isMain && mains === 1 ? null : name,
        unique_id: `${discoveryId(edgeId)}_${object}`,
        ...options,
        availability,
        availability_mode: "all",
        device: block,
        origin: ORIGIN,
      }),
    ]),
  );
}

/** The hub as a device of its own, through which the others are reached. */
export function hubConfig(prefix: string, hub: string): readonly [topic: string, payload: string] {
  const id = discoveryId(hub);
  const config = {
    name: "Connection",
    unique_id: `${id}_${CONNECTION}`,
    state_topic: hubAvailabilityTopic(hub),
    payload_on: "online",
    payload_off: "offline",
    device_class: "connectivity",
    entity_category: "diagnostic",
    device: { identifiers: [id], name: "Porchlight hub", manufacturer: OWN_ORIGIN, sw_version: AGENT_VERSION },
    origin: ORIGIN,
  };
  return [configTopic(prefix, "binary_sensor", hub, CONNECTION), JSON.stringify(config)];
}

function deviceBlock({ hub, edgeId, name, about }: ConfiguredDevice) {
  const { manufacturer, model, firmware, serial } = about;
  return {
    identifiers: [discoveryId(edgeId)],
    name,
    manufacturer,
    model,
    sw_version: firmware,
    serial_number: serial,
    via_device: discoveryId(hub),
  };
}

/** One entity as Home Assistant's discovery describes it. */
export interface Entity {
  /** `light`, `sensor` ... */
  readonly component: string;
  /** Tells it apart from the device's other entities, for ever: `[a-zA-Z0-9_-]`. */
  readonly object: string;
  /** What it is called beside its device. */
  readonly name: string;
  /** It is what the device is for: alone of its kind it has the device's name. */
  readonly isMain: boolean;
  /** By their long names; without what all entities have: name, device, origin, availability. */
  readonly options: Readonly<Record<string, unknown>>;
  /** A hue and a saturation that are told and set together on one topic. */
  readonly colour?: ColourPair | undefined;
}

/** The two addresses of a colour. */
export interface ColourPair {
  readonly hue: PropertyAddress;
  readonly saturation: PropertyAddress;
}

/** What in a description has no entity, by a name for the reason. */
export type NoEntity = "json" | "eventWithoutValues" | "noRange" | "noChoice" | "sameName" | "tooManyEntities";
