/**
 * Covers move slowly: what is set is a target, and the position is what is so now. Programs on a broker have one word for both.
 */
import { addressKey, type PropertyAddress, type PropertyDescription, standardProperty } from "@porchlight/shared/model";
import type { MqttProperty } from "./mqtt-device.ts";

/** With a target for each cover's position that can be set, where its dialect has made none; a position cannot be set beside one. */
export function withTargets(properties: readonly MqttProperty[]): readonly MqttProperty[] {
  const keys = new Set(properties.map(({ address }) => addressKey(address)));
  return properties.flatMap((property) => {
    const { address, set, state } = property;
    if (address.service !== "Cover" || address.property !== "position" || !set) return [property];
    const target = { ...address, property: "target" };
    const made = keys.has(addressKey(target)) ? [] : targetOf(property, target);
    return state ? [toldOnly(property), ...made] : made;
  });
}

function toldOnly(position: MqttProperty): MqttProperty {
  const access = position.description.access.filter((each) => each !== "write");
  return { ...position, set: undefined, description: { ...position.description, access } };
}

/** It can only be written: nothing tells a target that somebody else has set. */
function targetOf(position: MqttProperty, address: PropertyAddress): MqttProperty[] {
  const standard = standardProperty(address.service, address.property);
  if (!standard) return [];
  const { min, max, step, values } = position.description;
  const description: PropertyDescription = { ...standard, ...said({ min, max, step, values }), access: ["write"] };
  return [{ ...position, address, description, isGoal: position.state !== undefined }];
}

function said(limits: Partial<PropertyDescription>): Partial<PropertyDescription> {
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined));
}
