/** A device's description made ready to be asked on every report and command: one look-up, and what a value is worth. */
import {
  type Access,
  type DeviceAbout,
  type DeviceDescription,
  hasType,
  type PropertyAddress,
  type PropertyDescription,
  standardProperty,
  type Value,
  valueBreach,
  valuesEqual,
} from "@porchlight/shared/model";

/** The service that the hub adds to every device and carries out itself. D5, "Devices". */
export const IDENTIFY: PropertyAddress = { service: "Identify", index: "0", property: "active" };

export interface DescribedProperty {
  readonly address: PropertyAddress;
  readonly description: PropertyDescription;
}

/** What a value that a device gave is worth; `out_of_range` is stored as it is: sensors do that. */
export type Worth = "good" | "out_of_range" | "wrong_type";

export class DescribedDevice {
  /** As the API has it, `Identify` included. */
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

  /** Everything that can be read from the node, in the order of its description. */
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

  /** Whether nothing that a client sees differs. */
  equals(other: DescribedDevice): boolean {
    return valuesEqual(plain(this), plain(other));
  }
}

export function allows(description: PropertyDescription, access: Access): boolean {
  return description.access.includes(access);
}

/**
 * D5, "Values"; `null` is no value at present, of whatever type. A text of control characters can be larger as JSON
 * than any value may be: the cloud would not take it.
 */
export function worthOf(description: PropertyDescription, value: Value): Worth {
  if (value === null) return "good";
  if (!hasType(description, value) || valueBreach(value)) return "wrong_type";
  if (typeof value === "number") {
    const { min, max } = description;
    if ((min !== undefined && value < min) || (max !== undefined && value > max)) return "out_of_range";
  }
  return "good";
}

function plain({ description, about }: DescribedDevice): Value {
  const parsed: Value = JSON.parse(JSON.stringify({ description, about }));
  return parsed;
}
