/** The description of a device, from its properties and from foreign names for them. */
import {
  type DeviceDescription,
  isName,
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

/** Leaves room for a number at the end. */
const LONGEST = 60;

/** Undefined when the text yields no valid name. */
export function camelCase(text: string): string | undefined {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").replaceAll("ß", "ss");
  const words = plain.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const lowered = words.map((word) => (word === word.toUpperCase() ? word.toLowerCase() : word));
  const humped = lowered.map((word, at) => {
    const [first = "", rest = word.slice(1)] = [word[0]];
    return (at === 0 ? first.toLowerCase() : first.toUpperCase()) + rest;
  });
  const name = humped.join("").slice(0, LONGEST);
  return isName(name) ? name : undefined;
}
