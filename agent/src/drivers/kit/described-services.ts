/** Properties as the services of a description, which the hub and the cloud have. */
import type { DeviceDescription, PropertyAddress, PropertyDescription } from "@porchlight/shared/model";

interface Described {
  readonly address: PropertyAddress;
  readonly description: PropertyDescription;
}

/** Services in the order in which their first properties stand. */
export function describedServices(properties: readonly Described[]): DeviceDescription {
  const services = new Map<string, { service: string; index: string; properties: PropertyDescription[] }>();
  for (const { address, description } of properties) {
    const { service, index } = address;
    const key = `${service}:${index}`;
    const found = services.get(key) ?? { service, index, properties: [] };
    found.properties.push(description);
    services.set(key, found);
  }
  return [...services.values()];
}
