/** A device: its edgeId, its services, the selectors by which a client names them, and its description indexed for the hot path. */
import type { PropertyDescription } from "./property-schema.ts";

export interface ServiceDescription {
  readonly service: string;
  /** Distinguishes instances of one class; `"0"` for a single instance. */
  readonly index: string;
  readonly properties: readonly PropertyDescription[];
}

/** All services of a device. */
export type DeviceDescription = readonly ServiceDescription[];

/** What a device states about itself besides its services; all optional, shown as system metadata. */
export interface DeviceAbout {
  readonly manufacturer?: string | undefined;
  readonly model?: string | undefined;
  readonly firmware?: string | undefined;
  readonly serial?: string | undefined;
  readonly name?: string | undefined;
}

/** Names one property of one service instance of a device. */
export interface PropertyAddress {
  readonly service: string;
  readonly index: string;
  readonly property: string;
}

/** The parts of a selector: `SERVICE`, `SERVICE.PROPERTY`, `SERVICE:INDEX` or `SERVICE:INDEX.PROPERTY`. */
export interface Selector {
  readonly service: string;
  readonly index?: string | undefined;
  readonly property?: string | undefined;
}

/** The index of a service instance: "0" to "999". */
export const INDEX = /^(0|[1-9][0-9]{0,2})$/;
const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const SELECTOR = /^([A-Za-z][A-Za-z0-9_-]{0,63})(?::(0|[1-9][0-9]{0,2}))?(?:\.([A-Za-z][A-Za-z0-9_-]{0,63}))?$/;
const EDGE_ID = /^[0-9A-F]{2}(?:-[0-9A-F]{2}){5}(?:(?:-[0-9A-F]{2}){2})?$/;

/** Whether `text` is a valid name of a service or a property. */
export function isName(text: string): boolean {
  return NAME.test(text);
}

/** Whether `text` is an EUI-48 or EUI-64 in upper-case hex pairs with hyphens. */
export function isEdgeId(text: string): boolean {
  return EDGE_ID.test(text);
}

/** Parses a selector; undefined when it is malformed. */
export function parseSelector(text: string): Selector | undefined {
  const match = SELECTOR.exec(text);
  if (!match?.[1]) return undefined;
  return { service: match[1], index: match[2], property: match[3] };
}

/** `SERVICE:INDEX.PROPERTY`: the address as a key. */
export function addressKey(address: PropertyAddress): string {
  return `${address.service}:${address.index}.${address.property}`;
}

/** The description of one property of a device. */
export function findProperty(device: DeviceDescription, address: PropertyAddress): PropertyDescription | undefined {
  // Runs for every reported value, so it allocates nothing.
  for (const { service, index, properties } of device) {
    if (service !== address.service || index !== address.index) continue;
    for (const property of properties) if (property.property === address.property) return property;
    return undefined;
  }
  return undefined;
}

export interface DescribedProperty {
  /** `SERVICE:INDEX.PROPERTY`. */
  readonly key: string;
  readonly service: string;
  readonly index: string;
  readonly property: string;
  readonly description: PropertyDescription;
  readonly readable: boolean;
  readonly writable: boolean;
}

/** A description indexed for the hot path: every property by its key, every service by its class, computed once. */
export interface Described {
  readonly description: DeviceDescription;
  /** Properties of each service class, in the order of the description. */
  readonly byService: ReadonlyMap<string, readonly DescribedProperty[]>;
  readonly byKey: ReadonlyMap<string, DescribedProperty>;
}

/** Indexes a description. */
export function describe(description: DeviceDescription): Described {
  const byService = new Map<string, DescribedProperty[]>();
  const byKey = new Map<string, DescribedProperty>();
  for (const { service, index, properties } of description) {
    const ofClass = byService.get(service) ?? [];
    byService.set(service, ofClass);
    for (const each of properties) {
      const address = { service, index, property: each.property };
      const described: DescribedProperty = {
        ...address,
        key: addressKey(address),
        description: each,
        readable: each.access.includes("read"),
        writable: each.access.includes("write"),
      };
      ofClass.push(described);
      byKey.set(described.key, described);
    }
  }
  return { description, byService, byKey };
}
