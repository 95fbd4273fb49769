/** The discovery messages of a device: one retained message per entity, in the format of Home Assistant's discovery. */
import { OWN_ORIGIN } from "@porchlight/driver-mqtt/broker";
import type { PropertyAddress } from "@porchlight/shared/model";
import { AGENT_VERSION } from "../config/index.ts";
import { configTopic, deviceAvailabilityTopic, discoveryId, hubAvailabilityTopic } from "./topics.ts";

export interface ConfiguredDevice {
  readonly hub: string;
  readonly edgeId: string;
  readonly name: string;
  /** The device's own details. */
  readonly about: Readonly<Record<string, string>>;
}

const ORIGIN = { name: OWN_ORIGIN, sw_version: AGENT_VERSION };
/** The hub's only entity. */
const CONNECTION = "connection";

/** The discovery messages by topic. */
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
        // The only main entity takes the name of the device.
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

/** The hub as a separate device, through which the others are connected. */
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

/** One entity in the terms of Home Assistant's discovery. */
export interface Entity {
  /** `light`, `sensor` ... */
  readonly component: string;
  /** Distinguishes it permanently from the device's other entities: `[a-zA-Z0-9_-]`. */
  readonly object: string;
  /** Its name in addition to the device's name. */
  readonly name: string;
  /** It is the main function of the device: if it is the only main entity, it has the device's name. */
  readonly isMain: boolean;
  /** Options by their long names; without those that all entities have: name, device, origin, availability. */
  readonly options: Readonly<Record<string, unknown>>;
  /** A hue and a saturation that share one topic for reports and one for commands. */
  readonly colour?: ColourPair | undefined;
}

/** The two addresses of a colour. */
export interface ColourPair {
  readonly hue: PropertyAddress;
  readonly saturation: PropertyAddress;
}

/** The reason why a property has no entity. */
export type NoEntity = "json" | "eventWithoutValues" | "noRange" | "noChoice" | "sameName" | "tooManyEntities";
