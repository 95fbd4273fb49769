/** The MQTT topics of the hub's own devices: their construction and parsing. */
import { isEdgeId, isName, type PropertyAddress } from "@porchlight/shared/model";

/** Builds the topics of one device. */
export interface PropertyTopics {
  /** The topic on which a property's value is published. */
  readonly state: (address: PropertyAddress) => string;
  /** The topic on which a property is set. */
  readonly set: (address: PropertyAddress) => string;
}

/** The first level of all topics of all hubs. */
const BASE = "porchlight";
const INDEX = /^(?:0|[1-9][0-9]{0,2})$/;
const SET = "set";

/**
 * Stands for a property name in a topic: a hue and a saturation together. A name cannot contain a comma, so no property has this
 * name.
 */
export const COLOUR = "hue,saturation";

/** Filters for all retained topics of the hub except discovery messages. They match no command topic. */
export function keptFilters(hub: string): readonly string[] {
  return [`${BASE}/${hub}/+/availability`, `${BASE}/${hub}/+/+/+/+`];
}

/** The filter for all command topics of the hub's devices. */
export function setFilter(hub: string): string {
  return `${BASE}/${hub}/+/+/+/+/${SET}`;
}

/** The topic with `online` while the hub is connected to the broker. */
export function hubAvailabilityTopic(hub: string): string {
  return `${BASE}/${hub}/availability`;
}

export function deviceAvailabilityTopic(hub: string, device: string): string {
  return `${BASE}/${hub}/${device}/availability`;
}

export function topicsOf(hub: string, device: string): PropertyTopics {
  const state = ({ service, index, property }: PropertyAddress) =>
    `${BASE}/${hub}/${device}/${service}/${index}/${property}`;
  return { state, set: (address) => `${state(address)}/${SET}` };
}

export interface SetTopic {
  readonly device: string;
  /** Its property may be {@link COLOUR}. */
  readonly address: PropertyAddress;
}

/** Parses a command topic; undefined for another topic. */
export function parseSetTopic(hub: string, topic: string): SetTopic | undefined {
  const parts = topic.split("/");
  const [base, ofHub, device = "", service = "", index = "", property = "", set] = parts;
  if (parts.length !== 7 || base !== BASE || ofHub !== hub || set !== SET) return undefined;
  if (!isEdgeId(device) || !isName(service) || !INDEX.test(index)) return undefined;
  if (property !== COLOUR && !isName(property)) return undefined;
  return { device, address: { service, index, property } };
}

/** The device of a topic of the hub; undefined when the topic belongs to no device. */
export function deviceOfTopic(hub: string, topic: string): string | undefined {
  const [base, ofHub, device = "", ...more] = topic.split("/");
  return base === BASE && ofHub === hub && more.length > 0 && isEdgeId(device) ? device : undefined;
}

/** The ID of a device or a hub in discovery: `porchlight_001b44113ab7`. */
export function discoveryId(edgeId: string): string {
  return `${BASE}_${edgeId.replaceAll("-", "").toLowerCase()}`;
}

/** @param prefix of the discovery topics, normally `homeassistant` */
export function configTopic(prefix: string, component: string, edgeId: string, object: string): string {
  return `${prefix}/${component}/${discoveryId(edgeId)}/${object}/config`;
}

/** The discovery ID in a config topic; undefined for another topic. */
export function discoveryIdIn(prefix: string, topic: string): string | undefined {
  if (!topic.startsWith(`${prefix}/`) || !topic.endsWith("/config")) return undefined;
  const parts = topic.slice(prefix.length + 1).split("/");
  return parts.length === 4 ? parts[1] : undefined;
}

/** The filter for all config topics of one device. */
export function configFilter(prefix: string, edgeId: string): string {
  return `${prefix}/+/${discoveryId(edgeId)}/+/config`;
}
