/** A description indexed for the hot path: every property by its key, every service by its class, computed once. */
import { addressKey, type DeviceDescription } from "./device.ts";
import type { PropertyDescription } from "./property-schema.ts";

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
