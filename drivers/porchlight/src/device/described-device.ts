/** A device's description, indexed for the look-ups of every report and command. */
import { allows } from "@porchlight/driver-kit";
import {
  type DeviceAbout,
  type DeviceDescription,
  type PropertyAddress,
  type PropertyDescription,
  standardProperty,
  type Value,
  valuesEqual,
} from "@porchlight/shared/model";

/** The service that the hub adds to every device and implements itself. DP5, "Devices". */
export const IDENTIFY: PropertyAddress = { service: "Identify", index: "0", property: "active" };

export interface DescribedProperty {
  readonly address: PropertyAddress;
  readonly description: PropertyDescription;
}

export class DescribedDevice {
  /** As in the API, `Identify` included. */
  readonly description: DeviceDescription;
  readonly about: DeviceAbout;
  /** The node's own properties: `service` → `index` → `property`. */
  readonly #services = new Map<string, Map<string, Map<string, DescribedProperty>>>();

  constructor(services: DeviceDescription, about: DeviceAbout) {
    this.about = about;
    const active = standardProperty(IDENTIFY.service, IDENTIFY.property);
    const identify = { service: IDENTIFY.service, index: IDENTIFY.index, properties: active ? [active] : [] };
    this.description = [...services, identify];
    for (const { service, index, properties } of services) {
      const byName = new Map<string, DescribedProperty>();
      for (const description of properties) {
        byName.set(description.property, { address: { service, index, property: description.property }, description });
      }
      const byIndex = this.#services.get(service) ?? new Map<string, Map<string, DescribedProperty>>();
      byIndex.set(index, byName);
      this.#services.set(service, byIndex);
    }
  }

  hasService(service: string, index: string): boolean {
    return this.#services.get(service)?.has(index) ?? false;
  }

  find(service: string, index: string, property: string): DescribedProperty | undefined {
    return this.#services.get(service)?.get(index)?.get(property);
  }

  /** Every property that can be read from the node, in the order of its description. */
  readable(): DescribedProperty[] {
    const readable: DescribedProperty[] = [];
    for (const { service, index, properties } of this.description) {
      for (const { property } of properties) {
        const found = this.find(service, index, property);
        if (found && allows(found.description, "read")) readable.push(found);
      }
    }
    return readable;
  }

  /** Whether the two are equal in everything that a client sees. */
  equals(other: DescribedDevice): boolean {
    return valuesEqual(plain(this), plain(other));
  }
}

function plain({ description, about }: DescribedDevice): Value {
  const parsed: Value = JSON.parse(JSON.stringify({ description, about }));
  return parsed;
}
