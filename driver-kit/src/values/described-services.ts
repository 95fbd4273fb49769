/** Builds the description of a device from its properties. */
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

/** Services in the order of their first properties. */
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

/** The names of the services, each once, in the order of the description. */
export function serviceNames(description: DeviceDescription): string[] {
  return [...new Set(description.map(({ service }) => service))];
}

/** The properties of a device that can identify itself on command, cannot be stopped, and does not report whether it does. */
export function identifyOnly(): readonly DescribedAt[] {
  const active = standardProperty("Identify", "active");
  if (!active) return [];
  const description: PropertyDescription = { ...active, access: ["write"], values: [true] };
  return [{ address: { service: "Identify", index: "0", property: "active" }, description }];
}
