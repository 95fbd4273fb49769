/** The topics of the hub's own devices on a broker: named, and read. */
import { isEdgeId, isName, type PropertyAddress } from "@porchlight/shared/model";

/** Names the topics of one device. */
export interface PropertyTopics {
  /** Where the value of a property is told. */
  readonly state: (address: PropertyAddress) => string;
  /** Where it is set. */
  readonly set: (address: PropertyAddress) => string;
}

/** Of all topics of all hubs. */
const BASE = "porchlight";
const INDEX = /^(?:0|[1-9][0-9]{0,2})$/;
const SET = "set";

/**
 * In the place of a property's name: a hue and a saturation together. The comma is no character of a name, so no property is
 * called so.
 */
export const COLOUR = "hue,saturation";

/** Everything that the hub keeps on the broker besides descriptions. No topic on which something is set is among it. */
export function keptFilters(hub: string): readonly string[] {
  return [`${BASE}/${hub}/+/availability`, `${BASE}/${hub}/+/+/+/+`];
}

/** Every topic on which a property of the hub's devices is set. */
export function setFilter(hub: string): string {
  return `${BASE}/${hub}/+/+/+/+/${SET}`;
}

/** `online` while the hub is connected to the broker. */
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

/** What is set on that topic; undefined when nothing is. */
export function parseSetTopic(hub: string, topic: string): SetTopic | undefined {
  const parts = topic.split("/");
  const [base, ofHub, device = "", service = "", index = "", property = "", set] = parts;
  if (parts.length !== 7 || base !== BASE || ofHub !== hub || set !== SET) return undefined;
  if (!isEdgeId(device) || !isName(service) || !INDEX.test(index)) return undefined;
  if (property !== COLOUR && !isName(property)) return undefined;
  return { device, address: { service, index, property } };
}

/** The device that a topic of the hub is of; undefined when it is of none. */
export function deviceOfTopic(hub: string, topic: string): string | undefined {
  const [base, ofHub, device = "", ...more] = topic.split("/");
  return base === BASE && ofHub === hub && more.length > 0 && isEdgeId(device) ? device : undefined;
}

/** What a device, or a hub, is called in discovery: `porchlight_001b44113ab7`. */
export function discoveryId(edgeId: string): string {
  return `${BASE}_${edgeId.replaceAll("-", "").toLowerCase()}`;
}

/** @param prefix of the discovery topics, normally `homeassistant` */
export function configTopic(prefix: string, component: string, edgeId: string, object: string): string {
  return `${prefix}/${component}/${discoveryId(edgeId)}/${object}/config`;
}

/** What the device is called by in a config topic; undefined when the topic is none. */
export function discoveryIdIn(prefix: string, topic: string): string | undefined {
  if (!topic.startsWith(`${prefix}/`) || !topic.endsWith("/config")) return undefined;
  const parts = topic.slice(prefix.length + 1).split("/");
  return parts.length === 4 ? parts[1] : undefined;
}

/** Every config topic of one device. */
export function configFilter(prefix: string, edgeId: string): string {
  return `${prefix}/+/${discoveryId(edgeId)}/+/config`;
}
