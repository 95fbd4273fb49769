/** All properties of a device behind a broker: those that its dialect describes, and what stands for them at the hub. */
import { type PropertyDescription, standardProperty } from "@porchlight/shared/model";
import { withTargets } from "./cover-targets.ts";
import type { MqttDevice, MqttProperty, Publication } from "./mqtt-device.ts";

/** Its properties, and `Identify` where it can show itself. */
export function allProperties({ properties, identify }: MqttDevice): readonly MqttProperty[] {
  const all = withTargets(properties);
  return identify ? [...all, ...identifying(identify)] : all;
}

/** It cannot be stopped, and does not say whether it shows itself. */
function identifying(publication: Publication): MqttProperty[] {
  const active = standardProperty("Identify", "active");
  if (!active) return [];
  const description: PropertyDescription = { ...active, access: ["write"], values: [true] };
  return [{ address: { service: "Identify", index: "0", property: "active" }, description, set: () => publication }];
}
