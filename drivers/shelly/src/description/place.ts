/**
 * Assigns addresses to the properties of a device. A component's id is its index. When components of different types need one address, or
 * virtual components share a name, each keeps the address that its key first got. Pure, except for the addresses that `place` stores.
 */
import type { DeviceAddresses, Thing } from "@porchlight/driver-kit";
import type { ShellyDescription, ShellyProperty } from "./shelly-property.ts";

/** Limits of a description (device protocol, D6). */
const MOST_SERVICES = 64;
const MOST_PROPERTIES = 64;

/** Properties of a component that share a service and an index. */
interface ShellyThing extends Thing {
  readonly of: readonly ShellyProperty[];
}

/** Returns the device with its stored addresses, within the limits of a description. */
export function placedShelly(description: ShellyDescription, place: DeviceAddresses["place"]): ShellyDescription {
  const things = [...Map.groupBy(description.properties, thingId)].map(([id, of]) => thingOf(id, of));
  const leftAside: Record<string, number> = { ...description.leftAside };
  const bounded = new BoundedProperties(() => {
    leftAside.tooMany = (leftAside.tooMany ?? 0) + 1;
  });
  for (const { thing, addresses } of place(description.edgeId, things)) {
    for (const [at, address] of addresses.entries()) {
      const property = thing.of[at];
      if (property)
        bounded.add({ ...property, address, description: { ...property.description, property: address.property } });
    }
  }
  return { ...description, properties: bounded.properties, leftAside };
}

function thingId({ component, address, apart }: ShellyProperty): string {
  return apart === "name" ? `${component} ${address.service}` : `${component} ${address.service}:${address.index}`;
}

function thingOf(id: string, of: readonly ShellyProperty[]): ShellyThing {
  const [first] = of;
  const properties = of.map(({ address: { service, property } }) => ({ service, property }));
  return { id, of, properties, apart: first?.apart, index: first && Number(first.address.index) };
}

class BoundedProperties {
  readonly properties: ShellyProperty[] = [];
  readonly #sizes = new Map<string, number>();
  readonly #leftOut: () => void;

  constructor(leftOut: () => void) {
    this.#leftOut = leftOut;
  }

  add(property: ShellyProperty): void {
    const { service, index } = property.address;
    const instance = `${service}:${index}`;
    const size = this.#sizes.get(instance) ?? 0;
    if (size === MOST_PROPERTIES || (size === 0 && this.#sizes.size === MOST_SERVICES)) {
      this.#leftOut();
      return;
    }
    this.#sizes.set(instance, size + 1);
    this.properties.push(property);
  }
}
