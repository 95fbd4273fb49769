/**
 * Which addresses the properties of a device have. A component's number is its index; where two components of different types ask for one
 * address, and where virtual components have one name, each keeps the address that it was first given, by its key. Pure, but for what `place`
 * keeps.
 */
import type { DeviceAddresses, Thing } from "@porchlight/driver-kit";
import type { ShellyDescription, ShellyProperty } from "./shelly-property.ts";

/** Bounds of a description (device protocol, D6). */
const MOST_SERVICES = 64;
const MOST_PROPERTIES = 64;

/** Properties of a component that share a service and an index. */
interface ShellyThing extends Thing {
  readonly of: readonly ShellyProperty[];
}

/** The device with the addresses that it keeps, within the bounds of a description. */
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
