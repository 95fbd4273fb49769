/** Properties of a device that no part has claimed yet: larger parts claim theirs before single properties are considered. */
import { addressKey, type DescribedProperty, type DeviceDescription, describe } from "@porchlight/shared/model";

export class Unclaimed {
  readonly #properties: Map<string, DescribedProperty>;
  readonly #indexes: readonly (readonly [service: string, index: string])[];

  constructor(description: DeviceDescription) {
    this.#properties = new Map(describe(description).byKey);
    this.#indexes = description.map(({ service, index }) => [service, index]);
  }

  /** Indexes of a service class, in the order of the description. */
  indexes(service: string): string[] {
    return this.#indexes.filter(([name]) => name === service).map(([, index]) => index);
  }

  look(service: string, index: string, property: string): DescribedProperty | undefined {
    return this.#properties.get(addressKey({ service, index, property }));
  }

  /** Like {@link look}, but only for a writable property. */
  settable(service: string, index: string, property: string): DescribedProperty | undefined {
    const found = this.look(service, index, property);
    return found?.writable ? found : undefined;
  }

  claim(...properties: readonly (DescribedProperty | undefined)[]): void {
    for (const property of properties) if (property) this.#properties.delete(property.key);
  }
}
