/** The description of a device, put together from its properties. */
import {
  type DeviceDescription,
  type PropertyAddress,
  type PropertyDescription,
  standardProperty,
} from "@porchlight/shared/model";

export interface DescribedAt {
  readonly address: PropertyAddress;
  readonly description: PropertyDescription;
}

/** Services in the order in which their first properties stand. */
export function describedServices(properties: readonly DescribedAt[]): DeviceDescription {
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

/** Each service by its name once, in the order of the description. */
export function serviceNames(description: DeviceDescription): string[] {
  return [...new Set(description.map(({ service }) => service))];
}

/** Of a device that shows itself when it is told to, cannot be stopped, and does not say whether it does. */
export function identifyOnly(): readonly DescribedAt[] {
  const active = standardProperty("Identify", "active");
  if (!active) return [];
  const description: PropertyDescription = { ...active, access: ["write"], values: [true] };
  return [{ address: { service: "Identify", index: "0", property: "active" }, description }];
}
