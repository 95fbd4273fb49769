/** The description of a device behind a broker, as the hub and the cloud have it. */
import { type DeviceDescription, type PropertyDescription, standardProperty } from "@porchlight/shared/model";
import { withTargets } from "./cover-targets.ts";
import type { MqttDevice, MqttProperty, Publication } from "./mqtt-device.ts";

/** Its properties, and `Identify` where it can show itself. */
export function allProperties({ properties, identify }: MqttDevice): readonly MqttProperty[] {
  const all = withTargets(properties);
  return identify ? [...all, ...identifying(identify)] : all;
}

/** Services in the order in which their first properties stand. */
export function describedServices(properties: readonly MqttProperty[]): DeviceDescription {
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

/** It cannot be stopped, and does not say whether it shows itself. */
function identifying(publication: Publication): MqttProperty[] {
  const active = standardProperty("Identify", "active");
  if (!active) return [];
  const description: PropertyDescription = { ...active, access: ["write"], values: [true] };
  return [{ address: { service: "Identify", index: "0", property: "active" }, description, set: () => publication }];
}
