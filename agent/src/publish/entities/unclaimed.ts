/** The properties of a device that no entity has yet: an entity of several properties claims its own before the others are looked at. */
import { addressKey, type DescribedProperty, type DeviceDescription, describe } from "@porchlight/shared/model";

export class Unclaimed {
  readonly #properties: Map<string, DescribedProperty>;
  /** `SERVICE`s and indexes in the order of the description. */
  readonly instances: readonly (readonly [service: string, index: string])[];

  constructor(description: DeviceDescription) {
    this.#properties = new Map(describe(description).byKey);
    this.instances = description.map(({ service, index }) => [service, index]);
  }

  /** The property, while no entity has it. */
  look(service: string, index: string, property: string): DescribedProperty | undefined {
    return this.#properties.get(addressKey({ service, index, property }));
  }

  /** As {@link look}, where it can be set. */
  settable(service: string, index: string, property: string): DescribedProperty | undefined {
    const found = this.look(service, index, property);
    return found?.writable ? found : undefined;
  }

  /** As {@link look}, where it can be read. */
  readable(service: string, index: string, property: string): DescribedProperty | undefined {
    const found = this.look(service, index, property);
    return found?.readable ? found : undefined;
  }

  claim(...properties: readonly (DescribedProperty | undefined)[]): void {
    for (const property of properties) if (property) this.#properties.delete(property.key);
  }

  /** What is left. */
  [Symbol.iterator](): IterableIterator<DescribedProperty> {
    return this.#properties.values();
  }
}
